-- Mails that the server sends, each with a task of the same id, and what organizations were alerted of. The kinds of
-- tasks are checked by the program from now on: a new one needs no change of the schema.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE tasks DROP CONSTRAINT tasks_kind_check;

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
