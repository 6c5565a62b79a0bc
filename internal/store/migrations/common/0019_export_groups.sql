-- The groups whose readers an export is for, as a JSON list.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE static_exports ADD COLUMN reader_groups TEXT NOT NULL DEFAULT '[]';
