-- A dry run of an agent job ends with what it would have proposed. It has no branch and no pull request.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE agent_jobs ADD COLUMN dry_run BOOLEAN NOT NULL DEFAULT FALSE
    CHECK (NOT dry_run OR (ref = '' AND head_commit = '' AND pr_number = 0));
