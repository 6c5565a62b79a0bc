-- Programs of schema 29: pull requests have previews.
INSERT INTO pull_previews (id, organization_id, project_id, number, url, ref, commit_id, fork, state, deployment_id, outcome, changed, comment_id, wanted, sent, created_at, updated_at) VALUES ('pvw_1', 'org_1', 'prj_1', 7, 'https://git.example.com/a/docs/pulls/7', 'refs/pull/7/head', '7d5d0f0e2f6d3a9b1c4e8f7a6b5c4d3e2f1a0b9c', TRUE, 'open', 'dep_9', 'success', '[{"path":"guides/start","how":"changed"}]', '12', 2, 1, 1700000000000000, 1700000000000000);
INSERT INTO tasks (id, kind, organization_id, state, created_at, receiver) VALUES ('pvw_1', 'report', 'org_1', 'queued', 1700000000000000, 'prj_1');
UPDATE projects SET pull_previews = 'same-repository' WHERE id = 'prj_1';
