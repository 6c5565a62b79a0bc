-- What browsers of readers reported as blocked by a site's content policy: one row for each kind of content and source,
-- with the page where it was seen last. Nothing says who reported it.
-- This file is frozen: change the schema with a new file.

-- +goose Up
CREATE TABLE blocked (
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL,
    source     TEXT NOT NULL,
    page       TEXT NOT NULL,
    reports    BIGINT NOT NULL,
    first_seen BIGINT NOT NULL,
    last_seen  BIGINT NOT NULL,
    PRIMARY KEY (project_id, kind, source)
);
