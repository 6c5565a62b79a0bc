-- The views of a site that its readers asked for, so that each update builds them. A view is a key of package reader.
-- This file is frozen: change the schema with a new file.

-- +goose Up
CREATE TABLE reader_views (
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    view       TEXT NOT NULL,
    asked_at   BIGINT NOT NULL,
    PRIMARY KEY (project_id, view)
);
