-- Programs of schema 30: ended agent jobs have an outcome.
UPDATE agent_jobs SET outcome = 'changed' WHERE status = 'completed';
