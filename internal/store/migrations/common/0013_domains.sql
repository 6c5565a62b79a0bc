-- Domains need a proof of control: project_domains has those that are proven, domain_claims those that are not yet, and domain_reservations
-- those that an organization gave up, or may take, without a project. What older releases stored, or store, counts as proven.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE project_domains ADD COLUMN proof TEXT NOT NULL DEFAULT 'earlier';
ALTER TABLE project_domains ADD COLUMN proven_at BIGINT NOT NULL DEFAULT 0;

CREATE TABLE domain_claims (
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    domain          TEXT NOT NULL,  -- any number of organizations may claim it
    project_id      TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    position        BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    PRIMARY KEY (organization_id, domain)
);
CREATE INDEX domain_claims_by_project ON domain_claims (project_id, position);

CREATE TABLE domain_reservations (
    domain          TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    proof           TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL
);
CREATE INDEX domain_reservations_by_organization ON domain_reservations (organization_id, created_at);
