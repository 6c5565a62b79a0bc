-- What the commit of a deployment says of itself: message, author's name, changed files. It is JSON, as deploy.Change writes it.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE deployments ADD COLUMN commit_change TEXT NOT NULL DEFAULT '{}';
