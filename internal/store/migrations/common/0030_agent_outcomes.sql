-- What came of an agent job's last round. '' = it is under way, or ended before this was recorded.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE agent_jobs ADD COLUMN outcome TEXT NOT NULL DEFAULT '';
