-- What automations know about API descriptions at addresses.
-- This file is frozen: change the schema with a new file.

-- +goose Up
-- JSON: for each address, a digest of how the description there differed from the copy of the live site; '' = no differences known
ALTER TABLE automations ADD COLUMN noticed TEXT NOT NULL DEFAULT '';
