-- Programs of schema 15: organizations have credentials.
INSERT INTO credentials (id, organization_id, name, kind, base_url, sealed, created_by, created_at, updated_at, last_used_at) VALUES ('crd_15', 'org_1', 'docs-bot', 'token', 'https://git.example.com/team', 'c2VhbGVk', 'key_1', 1700000012000000, 1700000012000000, NULL);
