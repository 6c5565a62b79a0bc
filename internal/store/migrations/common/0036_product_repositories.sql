-- Further repositories of a project, which agents may read.
-- This file is frozen: change the schema with a new file.

-- +goose Up
CREATE TABLE product_repositories (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    project_id      TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name            TEXT NOT NULL,
    repository      TEXT NOT NULL,
    branch          TEXT NOT NULL,
    credential      TEXT NOT NULL,
    seen            TEXT NOT NULL DEFAULT '',  -- newest commit that automations know of; '' = it was not asked yet
    checked_at      BIGINT NOT NULL DEFAULT 0, -- when it was asked last; 0 = ask at once
    created_by      TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    UNIQUE (project_id, name)
);
CREATE INDEX product_repositories_by_check ON product_repositories (checked_at);

-- Places of product repositories that pages rely on, as agents cited them and the server checked them.
CREATE TABLE receipts (
    id          TEXT PRIMARY KEY,
    product_id  TEXT NOT NULL REFERENCES product_repositories (id) ON DELETE CASCADE,
    job_id      TEXT NOT NULL,   -- no reference: jobs are pruned
    page        TEXT NOT NULL,   -- path in the docs folder
    path        TEXT NOT NULL,   -- in the product repository
    line        BIGINT NOT NULL, -- first line of the quotation
    commit_id   TEXT NOT NULL,   -- at which it was found last
    quotation   TEXT NOT NULL,
    stale_at    BIGINT,          -- when it was no longer there; NULL = it is
    created_at  BIGINT NOT NULL
);
CREATE INDEX receipts_by_product ON receipts (product_id, path);
CREATE INDEX receipts_by_job ON receipts (job_id);
