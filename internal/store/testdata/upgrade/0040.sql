-- Programs of schema 40: agent jobs go on with another branch after their pull request is decided.
INSERT INTO agent_jobs (id, organization_id, project_id, status, repository, ref, model, created_at, updated_at, base, round, entry_seq, head_commit, pr_link, pr_number, pr_state) VALUES ('aj_40', 'org_1', 'prj_1', 'active', 'own://docs', 'lectern/forty', 'builtin', 1700000000000000, 1700000001000000, 'main', 2, 0, 'beef', 'https://x.example/40', 40, 'merged');
UPDATE agent_jobs SET ref = 'lectern/forty-2', head_commit = '', pr_link = '', pr_number = 0, pr_state = '' WHERE id = 'aj_40';
