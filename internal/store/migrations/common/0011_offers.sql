-- What the pages of a deployment offer beyond reading: a server that starts with other features publishes such sites again.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE deployments ADD COLUMN offers TEXT NOT NULL DEFAULT '';
