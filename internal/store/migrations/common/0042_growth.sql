-- Indexes for work that is done for all projects at once, and what manifests refer to, which is read for every retained
-- deployment once an hour.
-- This file is frozen: change the schema with a new file.

-- +goose Up
-- The blobs that a deployment's manifest refers to: a manifest never changes, so it is read once.
CREATE TABLE manifest_needs (
    deployment_id TEXT PRIMARY KEY REFERENCES deployments (id) ON DELETE CASCADE,
    blobs         TEXT NOT NULL  -- JSON list of keys
);
CREATE INDEX projects_by_poll ON projects (polled_at) WHERE repository <> '';
-- Has every column that the search for failing projects reads: rows of deployments are wide.
CREATE INDEX deployments_by_outcome ON deployments (project_id, status, created_at, ended_at) WHERE kind = 'production';
