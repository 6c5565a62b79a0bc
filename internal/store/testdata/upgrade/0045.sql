-- Programs of schema 45: workers list a queued task before they take it. An older program takes one and queues it again.
INSERT INTO tasks (id, kind, organization_id, state, created_at) VALUES ('dep_45', 'deploy', 'org_1', 'queued', 1700000045000000);
UPDATE tasks SET listed = TRUE WHERE id = 'dep_45';
INSERT INTO task_turns (organization_id, kind, last_start, first_at, first_id) VALUES ('org_1', 'deploy', 1700000000700000, 1700000045000000, 'dep_45');
UPDATE tasks SET state = 'running', attempts = 1, fence = 1, lease_owner = 'w', lease_until = 1700000145000000, started_at = 1700000045500000 WHERE id = 'dep_45';
UPDATE tasks SET state = 'queued', lease_until = 0, lease_owner = '' WHERE id = 'dep_45';
