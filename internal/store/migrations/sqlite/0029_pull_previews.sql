-- Previews that pull requests have by themselves. Each has a task of the same id, which reports its state to the code host
-- and waits again when there is something new to tell.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE projects ADD COLUMN pull_previews TEXT NOT NULL DEFAULT 'all';  -- all, same-repository, off
DROP TRIGGER tasks_fence;
-- +goose StatementBegin
CREATE TRIGGER tasks_fence BEFORE UPDATE ON tasks
WHEN NEW.fence < OLD.fence OR OLD.state = 'done' AND NEW.state <> 'done'
    AND NOT (NEW.kind IN ('agent', 'delivery', 'report') AND NEW.state = 'queued')
BEGIN
    SELECT RAISE(ABORT, 'illegal change of a task');
END;
-- +goose StatementEnd

CREATE TABLE pull_previews (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    project_id      TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    number          BIGINT NOT NULL,
    url             TEXT NOT NULL,
    ref             TEXT NOT NULL,
    commit_id       TEXT NOT NULL,
    fork            BOOLEAN NOT NULL,
    state           TEXT NOT NULL CHECK (state IN ('open', 'merged', 'closed')),
    deployment_id   TEXT NOT NULL DEFAULT '',  -- no reference: deployments are pruned
    outcome         TEXT NOT NULL DEFAULT '',
    changed         TEXT NOT NULL DEFAULT '[]',  -- JSON list of pages
    refused         TEXT NOT NULL DEFAULT '',
    comment_id      TEXT NOT NULL DEFAULT '',
    wanted          BIGINT NOT NULL DEFAULT 0,
    sent            BIGINT NOT NULL DEFAULT 0,
    attempts        BIGINT NOT NULL DEFAULT 0,
    error           TEXT NOT NULL DEFAULT '',
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    UNIQUE (project_id, number)
);
CREATE INDEX pull_previews_by_ref ON pull_previews (project_id, ref);
CREATE INDEX pull_previews_by_deployment ON pull_previews (deployment_id);
