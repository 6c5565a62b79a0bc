-- Endpoints have a format: JSON for programs, messages for chats, or mails to members, with a delivery for each of them.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE webhook_endpoints ADD COLUMN format TEXT NOT NULL DEFAULT 'standard';
ALTER TABLE webhook_endpoints ADD COLUMN recipients TEXT NOT NULL DEFAULT '[]';  -- JSON list of members' addresses
ALTER TABLE webhook_deliveries ADD COLUMN recipient TEXT NOT NULL DEFAULT '';  -- one of them; '' = the endpoint's address
