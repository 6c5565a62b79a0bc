-- What readers asked the assistants of sites, and what they were answered. Nothing says who asked.
-- This file is frozen: change the schema with a new file.

-- +goose Up
CREATE TABLE exchanges (
    id         TEXT PRIMARY KEY,
    thread_id  TEXT NOT NULL,      -- exchanges of one conversation share it
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    at         BIGINT NOT NULL,
    caller     TEXT NOT NULL CHECK (caller IN ('web', 'api', 'other')),
    page       TEXT NOT NULL,
    question   TEXT NOT NULL,
    answer     TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('answered', 'unanswered', 'refused', 'failed', 'local')),
    sources    TEXT NOT NULL,      -- JSON
    model      TEXT NOT NULL,
    tokens     BIGINT NOT NULL,
    helpful    BIGINT,             -- 1 or 0; NULL = the reader said nothing
    comment    TEXT NOT NULL DEFAULT ''
);
CREATE INDEX exchanges_by_project ON exchanges (project_id, at, id);
CREATE INDEX exchanges_by_thread ON exchanges (thread_id, at, id);
CREATE INDEX exchanges_by_age ON exchanges (at);
