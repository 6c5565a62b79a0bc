-- Programs of schema 25: a guest has a role in a project and invites carry one.
INSERT INTO members (id, organization_id, email, role, created_at) VALUES ('mem_25', 'org_1', 'guest@example.com', 'guest', 1700000000000000);
INSERT INTO project_roles (member_id, project_id, role, created_at) VALUES ('mem_25', 'prj_1', 'editor', 1700000000000000);
INSERT INTO invitations (id, organization_id, kind, email, role, hash, created_by, created_at, expires_at, project_id, project_role) VALUES ('inv_25', 'org_1', 'join', 'next@example.com', 'guest', 'hash25', 'mem_1', 1700000000000000, 1700000000000001, 'prj_1', 'viewer');
