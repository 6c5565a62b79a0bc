-- People who sign in, their sessions, and the links that invite them. Secrets are here as hashes only, except the sealed second factor.
-- Roll-backs: what was asked for before one does not undo it.
-- This file is frozen: change the schema with a new file.

-- +goose Up
CREATE TABLE people (
    id            TEXT PRIMARY KEY,
    email         TEXT NOT NULL UNIQUE,  -- lower case
    name          TEXT NOT NULL,
    password_hash TEXT NOT NULL,         -- '' = signs in elsewhere
    issuer        TEXT NOT NULL,
    subject       TEXT NOT NULL,
    totp_sealed   TEXT NOT NULL DEFAULT '',
    totp_step     BIGINT NOT NULL DEFAULT 0,
    recovery      TEXT NOT NULL DEFAULT '[]',
    created_at    BIGINT NOT NULL
);
CREATE UNIQUE INDEX people_by_identity ON people (issuer, subject) WHERE issuer <> '';

CREATE INDEX members_by_email ON members (email);

CREATE TABLE sessions (
    id              TEXT PRIMARY KEY,
    hash            TEXT NOT NULL UNIQUE,  -- of the cookie's token
    person_id       TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    organization_id TEXT NOT NULL,
    method          TEXT NOT NULL,
    address         TEXT NOT NULL,
    agent           TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    seen_at         BIGINT NOT NULL
);
CREATE INDEX sessions_by_person ON sessions (person_id, seen_at);
CREATE INDEX sessions_by_age ON sessions (created_at);

CREATE TABLE invitations (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    kind            TEXT NOT NULL CHECK (kind IN ('join', 'password')),
    email           TEXT NOT NULL,
    role            TEXT NOT NULL,
    hash            TEXT NOT NULL UNIQUE,
    created_by      TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL,
    used_at         BIGINT,
    revoked_at      BIGINT
);
CREATE INDEX invitations_by_organization ON invitations (organization_id, created_at, id);

CREATE INDEX events_by_actor ON events (organization_id, actor, sequence);
CREATE INDEX events_by_action ON events (organization_id, action, sequence);
CREATE INDEX events_by_target ON events (organization_id, target, sequence);

ALTER TABLE projects ADD COLUMN rolled_back_at BIGINT NOT NULL DEFAULT 0;
