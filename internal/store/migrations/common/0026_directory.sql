-- People and groups as an organization's identity provider describes them over SCIM. A person has a row in members while
-- they are active; who is deactivated has none, and stays here. The oldest program that may run on the database rises
-- when somebody is deactivated first: an older one would let them in again.
-- This file is frozen: change the schema with a new file.

-- +goose Up
CREATE TABLE directory_users (
    id              TEXT PRIMARY KEY,  -- of the first membership; no reference: it stays when that ends
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    user_name       TEXT NOT NULL,
    user_name_key   TEXT NOT NULL,     -- in lower case
    external_id     TEXT NOT NULL DEFAULT '',
    email           TEXT NOT NULL,
    display_name    TEXT NOT NULL DEFAULT '',
    given_name      TEXT NOT NULL DEFAULT '',
    family_name     TEXT NOT NULL DEFAULT '',
    deactivated     BOOLEAN NOT NULL DEFAULT FALSE,
    joined          BOOLEAN NOT NULL DEFAULT FALSE,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    UNIQUE (organization_id, user_name_key),
    UNIQUE (organization_id, email)
);

CREATE TABLE directory_groups (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    display_name    TEXT NOT NULL,
    name_key        TEXT NOT NULL,     -- in lower case
    external_id     TEXT NOT NULL DEFAULT '',
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    UNIQUE (organization_id, name_key)
);

CREATE TABLE directory_group_members (
    group_id TEXT NOT NULL REFERENCES directory_groups (id) ON DELETE CASCADE,
    user_id  TEXT NOT NULL REFERENCES directory_users (id) ON DELETE CASCADE,
    PRIMARY KEY (group_id, user_id)
);
CREATE INDEX directory_group_members_by_user ON directory_group_members (user_id);
