-- Programs of schema 12: a task that waits for storage, and a deployment whose failure was not its author's.
INSERT INTO deployments (id, organization_id, project_id, kind, branch, status, triggered_by, created_at, updated_at) VALUES ('dep_12', 'org_1', 'prj_1', 'production', 'main', 'queued', 'poll', 1700000012000000, 1700000012000000);
UPDATE deployments SET status = 'in_progress', commit_id = 'abc' WHERE id = 'dep_12';
INSERT INTO tasks (id, kind, organization_id, state, attempts, fence, not_before, waits, waiting_since, ran_micros, created_at) VALUES ('dep_12', 'deploy', 'org_1', 'queued', 0, 3, 1700000300000000, 3, 1700000100000000, 42000000, 1700000012000000);
INSERT INTO deployments (id, organization_id, project_id, kind, branch, status, triggered_by, created_at, updated_at) VALUES ('dep_12b', 'org_1', 'prj_1', 'production', 'main', 'queued', 'poll', 1700000012000001, 1700000012000001);
UPDATE deployments SET status = 'in_progress' WHERE id = 'dep_12b';
UPDATE deployments SET status = 'failure', error = 'No.', transient = TRUE, ended_at = 1700000400000000 WHERE id = 'dep_12b';
