-- Programs of schema 43: agent jobs can be dry runs.
INSERT INTO agent_jobs (id, organization_id, project_id, status, outcome, repository, model, created_at, updated_at, round, entry_seq, dry_run) VALUES ('aj_43', 'org_1', 'prj_1', 'completed', 'would_change', 'own://docs', 'submitted', 1700000000000000, 1700000001000000, 1, 0, TRUE);
