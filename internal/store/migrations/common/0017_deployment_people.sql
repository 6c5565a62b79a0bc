-- Who started a deployment, and what lists show of its commit: the first line of its message and its author, which commit_change
-- has with much more. A roll-back has a row of its own, since a deployment that ended does not change: the last one to it.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE deployments ADD COLUMN started_by TEXT NOT NULL DEFAULT '';
ALTER TABLE deployments ADD COLUMN commit_title TEXT NOT NULL DEFAULT '';
ALTER TABLE deployments ADD COLUMN commit_author TEXT NOT NULL DEFAULT '';
CREATE TABLE roll_backs (
    deployment_id TEXT PRIMARY KEY REFERENCES deployments (id) ON DELETE CASCADE,
    restored_by TEXT NOT NULL,
    restored_at BIGINT NOT NULL
);
