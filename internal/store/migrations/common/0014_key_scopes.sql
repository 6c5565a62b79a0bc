-- Members, invitations, keys and the organization's settings need the scope admin. The key that a first start printed keeps all its powers;
-- every other key keeps the scopes it was made with.
-- This file is frozen: change the schema with a new file.

-- +goose Up
UPDATE api_keys SET scopes = '["read","write","discovery","admin"]' WHERE created_by = '' AND label = 'First key' AND scopes = '["read","write"]';
