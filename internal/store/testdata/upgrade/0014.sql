-- Programs of schema 14: a first start prints a key with all scopes.
INSERT INTO api_keys (id, organization_id, label, prefix, hash, scopes, addresses, created_by, created_at) VALUES ('key_14', 'org_1', 'First key', 'lectern_14', 'hash-14', '["read","write","discovery","admin"]', '[]', '', 1700000012000000);
