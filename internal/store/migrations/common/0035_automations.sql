-- Tasks for agents that start by themselves, and the log of why each started or did not.
-- This file is frozen: change the schema with a new file.

-- +goose Up
CREATE TABLE automations (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    project_id      TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name            TEXT NOT NULL,
    trigger_kind    TEXT NOT NULL,
    schedule        TEXT NOT NULL,            -- JSON; '' = none
    prompt          TEXT NOT NULL,            -- '' = that of the workflow or of the trigger
    workflow        TEXT NOT NULL,
    max_per_day     BIGINT NOT NULL,
    enabled         BOOLEAN NOT NULL,
    dry_run         BOOLEAN NOT NULL,
    owner           TEXT NOT NULL,            -- id of a key or member
    next_run_at     BIGINT,                   -- NULL = never by itself
    last_run_at     BIGINT,
    gaps_until      BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    UNIQUE (project_id, name)
);
CREATE INDEX automations_by_next_run ON automations (next_run_at);

CREATE TABLE automation_runs (
    id            TEXT PRIMARY KEY,
    automation_id TEXT NOT NULL REFERENCES automations (id) ON DELETE CASCADE,
    cause         TEXT NOT NULL,
    actor         TEXT NOT NULL,
    decision      TEXT NOT NULL,
    reason        TEXT NOT NULL,
    detail        TEXT NOT NULL,
    context       TEXT NOT NULL,
    job_id        TEXT NOT NULL,              -- no reference: jobs are pruned
    at            BIGINT NOT NULL
);
CREATE INDEX automation_runs_by_automation ON automation_runs (automation_id, at, id);
