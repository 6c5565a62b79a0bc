-- Comments and labels on code hosts start automations. Each mention has a task of the same id, which waits again when there
-- is something new to reply.
-- This file is frozen: change the schema with a new file.

-- +goose Up
DROP TRIGGER tasks_fence;
-- +goose StatementBegin
CREATE TRIGGER tasks_fence BEFORE UPDATE ON tasks
WHEN NEW.fence < OLD.fence OR OLD.state = 'done' AND NEW.state <> 'done'
    AND NOT (NEW.kind IN ('agent', 'delivery', 'report', 'mention') AND NEW.state = 'queued')
BEGIN
    SELECT RAISE(ABORT, 'illegal change of a task');
END;
-- +goose StatementEnd
ALTER TABLE automations ADD COLUMN label TEXT NOT NULL DEFAULT '';      -- that starts it; '' = none
ALTER TABLE agent_jobs ADD COLUMN on_pull BOOLEAN NOT NULL DEFAULT FALSE; -- works on the branch of a person's pull request
ALTER TABLE agent_jobs ADD COLUMN issue BIGINT NOT NULL DEFAULT 0;      -- that its pull request refers to; 0 = none
CREATE TABLE mentions (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    project_id      TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    source          TEXT NOT NULL,
    trigger_kind    TEXT NOT NULL,
    label           TEXT NOT NULL,
    issue           BOOLEAN NOT NULL,
    number          BIGINT NOT NULL,
    url             TEXT NOT NULL,
    author          TEXT NOT NULL,
    author_id       TEXT NOT NULL,
    request         TEXT NOT NULL,
    given           TEXT NOT NULL,
    state           TEXT NOT NULL,
    answer          TEXT NOT NULL DEFAULT '',
    job_id          TEXT NOT NULL DEFAULT '',  -- no reference: jobs are pruned
    reply_id        TEXT NOT NULL DEFAULT '',
    wanted          BIGINT NOT NULL DEFAULT 1,
    sent            BIGINT NOT NULL DEFAULT 0,
    attempts        BIGINT NOT NULL DEFAULT 0,
    error           TEXT NOT NULL DEFAULT '',
    created_at      BIGINT NOT NULL,
    UNIQUE (project_id, source)
);
CREATE INDEX mentions_by_job ON mentions (job_id);
CREATE INDEX mentions_by_time ON mentions (project_id, created_at);
