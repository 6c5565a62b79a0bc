-- A site can have versions that come from branches and tags of its repository.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE deployments ADD COLUMN versions TEXT NOT NULL DEFAULT ''; -- JSON: rules, digest of the refs, state of each version; '' = none
