-- Credentials of code hosts belong to an organization. sealed is encrypted with a key that is not in the database.
-- This file is frozen: change the schema with a new file.

-- +goose Up
CREATE TABLE credentials (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    base_url TEXT NOT NULL,
    sealed TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    last_used_at BIGINT,
    UNIQUE (organization_id, name)
);
