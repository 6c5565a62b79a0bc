-- Mails that the server sends, each with a task of the same id, and what organizations were alerted of. The kinds of
-- tasks are checked by the program from now on: a new one needs no change of the schema.
-- This file is frozen: change the schema with a new file.

-- +goose Up
CREATE TABLE tasks_anew (
    id              TEXT PRIMARY KEY,
    kind            TEXT NOT NULL,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    state           TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done')),
    attempts        BIGINT NOT NULL DEFAULT 0,
    fence           BIGINT NOT NULL DEFAULT 0,
    lease_owner     TEXT NOT NULL DEFAULT '',
    lease_until     BIGINT NOT NULL DEFAULT 0,
    cancel_asked    BOOLEAN NOT NULL DEFAULT FALSE,
    started_at      BIGINT NOT NULL DEFAULT 0,
    created_at      BIGINT NOT NULL,
    not_before      BIGINT NOT NULL DEFAULT 0,
    waits           BIGINT NOT NULL DEFAULT 0,
    waiting_since   BIGINT NOT NULL DEFAULT 0,
    ran_micros      BIGINT NOT NULL DEFAULT 0
);
INSERT INTO tasks_anew (id, kind, organization_id, state, attempts, fence, lease_owner, lease_until, cancel_asked,
    started_at, created_at, not_before, waits, waiting_since, ran_micros)
SELECT id, kind, organization_id, state, attempts, fence, lease_owner, lease_until, cancel_asked,
    started_at, created_at, not_before, waits, waiting_since, ran_micros FROM tasks;
DROP TABLE tasks;
ALTER TABLE tasks_anew RENAME TO tasks;
CREATE INDEX tasks_by_state ON tasks (state, organization_id, created_at, id);
CREATE INDEX tasks_by_start ON tasks (organization_id, started_at);
-- +goose StatementBegin
CREATE TRIGGER tasks_fence BEFORE UPDATE ON tasks
WHEN NEW.fence < OLD.fence OR OLD.state = 'done' AND NEW.state <> 'done' AND NOT (NEW.kind = 'agent' AND NEW.state = 'queued')
BEGIN
    SELECT RAISE(ABORT, 'illegal change of a task');
END;
-- +goose StatementEnd

CREATE TABLE mails (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    kind            TEXT NOT NULL,
    address         TEXT NOT NULL,
    invitation_id   TEXT NOT NULL DEFAULT '',  -- the link that it carries; no reference: it stays when that is removed
    sealed          TEXT NOT NULL DEFAULT '',  -- the secret of that link, encrypted; '' once the mail has ended
    content         TEXT NOT NULL DEFAULT '',  -- what else it says
    state           TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'failed', 'dropped')),
    error           TEXT NOT NULL DEFAULT '',  -- of the last attempt
    created_at      BIGINT NOT NULL,
    ended_at        BIGINT,
    CHECK ((state = 'queued') = (ended_at IS NULL))
);
CREATE INDEX mails_by_invitation ON mails (organization_id, invitation_id);
CREATE INDEX mails_by_end ON mails (ended_at);

CREATE TABLE alerts (
    rule            TEXT NOT NULL,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    subject         TEXT NOT NULL,  -- a project or a host
    raised_at       BIGINT NOT NULL,
    PRIMARY KEY (rule, organization_id, subject)
);
