-- Deployments know how far the translations of their site are.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE deployments ADD COLUMN translations TEXT NOT NULL DEFAULT ''; -- JSON: counts and pages that are behind, for each language; '' = it has one
