-- Programs of schema 26: an identity provider manages members and groups.
INSERT INTO directory_users (id, organization_id, user_name, user_name_key, external_id, email, display_name, joined, created_at, updated_at) VALUES ('mem_1', 'org_1', 'Owner@example.com', 'owner@example.com', 'x-1', 'owner@example.com', 'The owner', TRUE, 1700000000000000, 1700000000000001);
INSERT INTO directory_users (id, organization_id, user_name, user_name_key, email, deactivated, created_at, updated_at) VALUES ('mem_26', 'org_1', 'left', 'left', 'left@example.com', TRUE, 1700000000000000, 1700000000000001);
INSERT INTO directory_groups (id, organization_id, display_name, name_key, external_id, created_at, updated_at) VALUES ('grp_26', 'org_1', 'Staff', 'staff', 'x-2', 1700000000000000, 1700000000000001);
INSERT INTO directory_group_members (group_id, user_id) VALUES ('grp_26', 'mem_1');
