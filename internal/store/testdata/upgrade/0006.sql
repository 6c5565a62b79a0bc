-- Programs of schema 6: a job ends, goes on with a message and is archived; proposals are decided.
INSERT INTO agent_jobs (id, organization_id, project_id, status, repository, ref, model, created_at, updated_at, base, round, entry_seq) VALUES ('aj_6', 'org_1', 'prj_1', 'active', 'own://docs', '', 'builtin', 1700000000000000, 1700000001000000, 'main', 1, 0);
UPDATE agent_jobs SET status = 'failed', error = 'no model' WHERE id = 'aj_6';
UPDATE agent_jobs SET status = 'active', error = '', round = 2 WHERE id = 'aj_6';
UPDATE agent_jobs SET status = 'completed', ref = 'lectern/six', pr_number = 2, pr_state = 'open', pr_link = 'https://x.example/2', summary = 'Done.', head_commit = 'beef' WHERE id = 'aj_6';
UPDATE agent_jobs SET status = 'archived', archived_at = 1700000005000000 WHERE id = 'aj_6';
INSERT INTO proposals (id, organization_id, project_id, number, state, as_draft, title, body, head, base, created_at, updated_at) VALUES ('pp_6', 'org_1', 'prj_1', 2, 'open', FALSE, 'Six', '', 'lectern/six', 'main', 1700000000000000, 1700000000000000);
UPDATE proposals SET state = 'merged', merge_commit = 'dada', decided_by = 'mem_1', updated_at = 1700000002000000 WHERE id = 'pp_6';
