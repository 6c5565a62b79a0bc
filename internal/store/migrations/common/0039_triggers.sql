-- What further triggers of automations remember, and the sentence of a page that a receipt is for.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE automations ADD COLUMN at_least BIGINT NOT NULL DEFAULT 1; -- how much of what it waits for there must be
ALTER TABLE automations ADD COLUMN seen TEXT NOT NULL DEFAULT '';      -- deployment whose findings it knows; '' = none yet
ALTER TABLE product_repositories ADD COLUMN tags TEXT NOT NULL DEFAULT ''; -- JSON: those that are known; '' = not asked yet
ALTER TABLE receipts ADD COLUMN sentence TEXT NOT NULL DEFAULT '';     -- of the page; '' = the agent named none
