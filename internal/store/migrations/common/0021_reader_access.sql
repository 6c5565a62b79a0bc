-- Who may read a project's site, and the sessions of readers who proved it. A project without a row is public. The oldest program
-- that may run on the database rises when a site is protected first: an older one would serve it to everybody.
-- This file is frozen: change the schema with a new file.

-- +goose Up
CREATE TABLE reader_access (
    project_id    TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    mode          TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    settings      TEXT NOT NULL,  -- JSON, what else the mode needs
    sealed        TEXT NOT NULL,  -- secrets among them, encrypted with a key that is not in the database; '' = none
    version       BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL
);

CREATE TABLE reader_sessions (
    hash           TEXT PRIMARY KEY,
    project_id     TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    host           TEXT NOT NULL,
    version        BIGINT NOT NULL,  -- of reader_access at sign-in; under another one the session has ended
    method         TEXT NOT NULL,
    subject        TEXT NOT NULL,
    reader_groups  TEXT NOT NULL,    -- JSON
    member_session TEXT NOT NULL,    -- id in sessions with which this one ends; '' = none
    created_at     BIGINT NOT NULL,
    seen_at        BIGINT NOT NULL
);
CREATE INDEX reader_sessions_by_project ON reader_sessions (project_id);
CREATE INDEX reader_sessions_by_age ON reader_sessions (created_at);
