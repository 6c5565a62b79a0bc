-- Everything the platform remembers. Times are microseconds since 1970 in UTC; lists and maps are JSON text.
-- This file is frozen: change the schema with a new file.

-- +goose Up
CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE organizations (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    plan       TEXT NOT NULL CHECK (plan IN ('free', 'pro', 'enterprise')),
    event_seq  BIGINT NOT NULL DEFAULT 0,  -- last number on the organization's event chain
    event_hash TEXT NOT NULL DEFAULT '',   -- its hash
    created_at BIGINT NOT NULL
);

CREATE TABLE members (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    email           TEXT NOT NULL,
    role            TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'editor', 'viewer')),
    created_at      BIGINT NOT NULL,
    UNIQUE (organization_id, email)
);

CREATE TABLE api_keys (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    label           TEXT NOT NULL,
    prefix          TEXT NOT NULL,
    hash            TEXT NOT NULL UNIQUE,  -- keyed hash; the secret is stored nowhere
    scopes          TEXT NOT NULL,
    addresses       TEXT NOT NULL,
    created_by      TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    expires_at      BIGINT,
    last_used_at    BIGINT,
    revoked_at      BIGINT
);
CREATE INDEX api_keys_by_organization ON api_keys (organization_id, created_at, id);

CREATE TABLE projects (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    name            TEXT NOT NULL,
    source_path     TEXT NOT NULL,
    repository      TEXT NOT NULL,
    branch          TEXT NOT NULL,
    credential      TEXT NOT NULL,
    docs_folder     TEXT NOT NULL,
    live_id         TEXT NOT NULL DEFAULT '',
    hook_version    BIGINT NOT NULL DEFAULT 1,
    polled_at       BIGINT NOT NULL DEFAULT 0,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL
);
CREATE INDEX projects_by_organization ON projects (organization_id, created_at, id);

CREATE TABLE project_domains (
    domain     TEXT PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    position   BIGINT NOT NULL
);
CREATE INDEX project_domains_by_project ON project_domains (project_id, position);

CREATE TABLE deployments (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    project_id      TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    kind            TEXT NOT NULL CHECK (kind IN ('production', 'preview')),
    branch          TEXT NOT NULL,
    status          TEXT NOT NULL CHECK (status IN ('queued', 'in_progress', 'success', 'failure')),
    commit_id       TEXT NOT NULL DEFAULT '',
    page_count      BIGINT NOT NULL DEFAULT 0,
    logs            TEXT NOT NULL DEFAULT '[]',
    diagnostics     TEXT NOT NULL DEFAULT '[]',
    error           TEXT NOT NULL DEFAULT '',
    manifest_key    TEXT NOT NULL DEFAULT '',
    snapshot_key    TEXT NOT NULL DEFAULT '',
    triggered_by    TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    ended_at        BIGINT,
    CHECK ((status = 'failure') = (error <> '')),
    CHECK ((status IN ('success', 'failure')) = (ended_at IS NOT NULL)),
    CHECK (status <> 'success' OR manifest_key <> '')
);
CREATE INDEX deployments_by_project ON deployments (project_id, created_at, id);

CREATE TABLE static_exports (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    project_id      TEXT NOT NULL,  -- no reference: an export outlives its project
    domain          TEXT NOT NULL,
    version         TEXT NOT NULL,
    paths           TEXT NOT NULL,
    status          TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
    progress        DOUBLE PRECISION NOT NULL DEFAULT 0 CHECK (progress >= 0 AND progress <= 100),
    page_count      BIGINT NOT NULL DEFAULT 0 CHECK (page_count >= 0),
    stage           TEXT NOT NULL DEFAULT '',
    commit_id       TEXT NOT NULL DEFAULT '',
    error           TEXT NOT NULL DEFAULT '',
    bundles         TEXT NOT NULL DEFAULT '[]',
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    CHECK ((status = 'completed') = (progress = 100)),
    CHECK ((status = 'failed') = (error <> '')),
    CHECK (status <> 'completed' OR bundles <> '[]')
);
CREATE INDEX static_exports_by_organization ON static_exports (organization_id, created_at, id);

CREATE TABLE agent_jobs (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    project_id      TEXT NOT NULL,
    status          TEXT NOT NULL CHECK (status IN ('active', 'completed', 'failed', 'archived')),
    repository      TEXT NOT NULL,
    ref             TEXT NOT NULL DEFAULT '',
    model           TEXT NOT NULL,
    pr_link         TEXT NOT NULL DEFAULT '',
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    archived_at     BIGINT,
    CHECK ((status = 'archived') = (archived_at IS NOT NULL))
);
CREATE INDEX agent_jobs_by_project ON agent_jobs (project_id, created_at, id);

CREATE TABLE tasks (
    id              TEXT PRIMARY KEY,
    kind            TEXT NOT NULL CHECK (kind IN ('export', 'deploy', 'agent')),
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    state           TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done')),
    attempts        BIGINT NOT NULL DEFAULT 0,
    fence           BIGINT NOT NULL DEFAULT 0,
    lease_owner     TEXT NOT NULL DEFAULT '',
    lease_until     BIGINT NOT NULL DEFAULT 0,
    cancel_asked    BOOLEAN NOT NULL DEFAULT FALSE,
    started_at      BIGINT NOT NULL DEFAULT 0,  -- the latest start; organizations take turns by it
    created_at      BIGINT NOT NULL
);
CREATE INDEX tasks_by_state ON tasks (state, organization_id, created_at, id);
CREATE INDEX tasks_by_start ON tasks (organization_id, started_at);

CREATE TABLE idempotency (
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    route           TEXT NOT NULL,
    key             TEXT NOT NULL,
    body_hash       TEXT NOT NULL,
    status          BIGINT NOT NULL DEFAULT 0,
    body            TEXT NOT NULL DEFAULT '',
    created_at      BIGINT NOT NULL,
    PRIMARY KEY (organization_id, route, key)
);
CREATE INDEX idempotency_by_age ON idempotency (created_at);

CREATE TABLE hook_deliveries (
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    delivery   TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (project_id, delivery)
);
CREATE INDEX hook_deliveries_by_age ON hook_deliveries (created_at);

CREATE TABLE events (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    sequence        BIGINT NOT NULL,
    actor           TEXT NOT NULL,
    action          TEXT NOT NULL,
    target          TEXT NOT NULL,
    request_id      TEXT NOT NULL,
    data            TEXT NOT NULL,
    at              BIGINT NOT NULL,
    prev_hash       TEXT NOT NULL,
    hash            TEXT NOT NULL,
    UNIQUE (organization_id, sequence)
);
