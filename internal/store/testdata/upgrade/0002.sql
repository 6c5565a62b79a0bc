-- Programs of schema 2: rows go through their states one edge after the other.
INSERT INTO static_exports (id, organization_id, project_id, domain, version, paths, status, created_at, updated_at) VALUES ('se_2', 'org_1', 'prj_1', 'docs.example.com', 'v2', '[]', 'queued', 1700000000000003, 1700000000000003);
INSERT INTO tasks (id, kind, organization_id, state, created_at) VALUES ('se_2', 'export', 'org_1', 'queued', 1700000000000003);
UPDATE tasks SET state = 'running', attempts = 1, fence = 1, lease_owner = 'w', lease_until = 1700000100000000, started_at = 1700000000600000 WHERE id = 'se_2';
UPDATE static_exports SET status = 'running', stage = 'build', updated_at = 1700000001000000 WHERE id = 'se_2';
UPDATE static_exports SET progress = 40, page_count = 5 WHERE id = 'se_2';
UPDATE static_exports SET status = 'completed', progress = 100, page_count = 12, bundles = '[{"format":"tar.gz","key":"exports/se_2/a.tar.gz","size":4,"sha256":"y"}]', updated_at = 1700000002000000 WHERE id = 'se_2';
UPDATE tasks SET state = 'done', lease_until = 0, lease_owner = '' WHERE id = 'se_2';
INSERT INTO deployments (id, organization_id, project_id, kind, branch, status, triggered_by, created_at, updated_at) VALUES ('dep_2', 'org_1', 'prj_1', 'production', 'main', 'queued', 'api', 1700000000000003, 1700000000000003);
UPDATE deployments SET status = 'in_progress' WHERE id = 'dep_2';
UPDATE deployments SET status = 'success', manifest_key = 'sites/prj_1/manifests/dep_2.json', ended_at = 1700000002000000 WHERE id = 'dep_2';
