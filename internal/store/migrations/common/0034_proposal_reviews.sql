-- People comment on lines of proposals and approve them.
-- This file is frozen: change the schema with a new file.

-- +goose Up
CREATE TABLE proposal_comments (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    proposal_id     TEXT NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
    file            TEXT NOT NULL,
    side            TEXT NOT NULL CHECK (side IN ('old', 'new')),
    line            BIGINT NOT NULL CHECK (line > 0), -- when the comment was made
    last_line       BIGINT NOT NULL CHECK (last_line >= line),
    quote           TEXT NOT NULL,                    -- these lines
    body            TEXT NOT NULL,
    suggests        BOOLEAN NOT NULL,
    suggestion      TEXT NOT NULL,
    commit_id       TEXT NOT NULL,
    author          TEXT NOT NULL,
    resolved_by     TEXT NOT NULL DEFAULT '',
    applied         TEXT NOT NULL DEFAULT '', -- commit of the suggested edit
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    CHECK (suggests OR suggestion = ''),
    CHECK (suggests OR applied = '')
);
CREATE INDEX proposal_comments_by_proposal ON proposal_comments (proposal_id, created_at, id);

CREATE TABLE proposal_approvals (
    proposal_id     TEXT NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    author          TEXT NOT NULL,
    commit_id       TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    PRIMARY KEY (proposal_id, author)
);
