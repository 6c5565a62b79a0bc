-- Previews of pull requests are compared with the commit that the pull request began at.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE pull_previews ADD COLUMN base TEXT NOT NULL DEFAULT '';         -- branch the changes are for; '' = the default one
ALTER TABLE pull_previews ADD COLUMN compared TEXT NOT NULL DEFAULT '';     -- JSON: what the comparison found; '' = there was none
