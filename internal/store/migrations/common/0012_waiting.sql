-- Tasks that wait until storage or another part of the server answers again, how long tasks ran in earlier attempts, and deployments that
-- failed for a reason that can go away without a new commit.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE tasks ADD COLUMN not_before BIGINT NOT NULL DEFAULT 0;      -- a queued task is not taken earlier
ALTER TABLE tasks ADD COLUMN waits BIGINT NOT NULL DEFAULT 0;           -- how often it was postponed
ALTER TABLE tasks ADD COLUMN waiting_since BIGINT NOT NULL DEFAULT 0;   -- when it was postponed first; 0 = never
ALTER TABLE tasks ADD COLUMN ran_micros BIGINT NOT NULL DEFAULT 0;      -- running time of the attempts that have ended
ALTER TABLE deployments ADD COLUMN transient BOOLEAN NOT NULL DEFAULT FALSE;
