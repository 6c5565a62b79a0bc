-- Programs of schema 17: deployments name who started them, and roll-backs are noted.
INSERT INTO deployments (id, organization_id, project_id, kind, branch, status, error, triggered_by, commit_id, started_by, commit_title, commit_author, created_at, updated_at, ended_at) VALUES ('dep_17', 'org_1', 'prj_1', 'production', 'wip', 'failure', 'no page', 'api', 'c0ffee', 'mem_1', 'Fix it', 'A', 1700000014000000, 1700000014000000, 1700000014000000);
INSERT INTO roll_backs (deployment_id, restored_by, restored_at) VALUES ('dep_17', 'key_1', 1700000015000000);
