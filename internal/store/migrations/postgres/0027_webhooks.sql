-- Webhooks that the server sends: endpoints, a delivery for each event and endpoint with a task of the same id, and its
-- attempts. At most two tasks with the same receiver run at once. The task of a delivery waits again when it is replayed.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE tasks ADD COLUMN receiver TEXT NOT NULL DEFAULT '';  -- id of an endpoint
CREATE INDEX tasks_by_receiver ON tasks (receiver, state) WHERE receiver <> '';
DROP TRIGGER tasks_fence ON tasks;
CREATE TRIGGER tasks_fence BEFORE UPDATE ON tasks FOR EACH ROW
WHEN (NEW.fence < OLD.fence OR OLD.state = 'done' AND NEW.state <> 'done'
    AND NOT (NEW.kind IN ('agent', 'delivery') AND NEW.state = 'queued'))
EXECUTE FUNCTION lectern_refuse('illegal change of a task');

CREATE TABLE webhook_endpoints (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    url             TEXT NOT NULL,
    description     TEXT NOT NULL,
    events          TEXT NOT NULL,             -- JSON list of types; [] = all
    project_id      TEXT NOT NULL DEFAULT '',  -- no reference: the filter stays when the project is removed
    enabled         BOOLEAN NOT NULL,
    off_reason      TEXT NOT NULL DEFAULT '',  -- why the server turned it off
    sealed          TEXT NOT NULL,             -- the secret, encrypted
    sealed_before   TEXT NOT NULL DEFAULT '',  -- the one before, which signs too for a while
    before_until    BIGINT,
    failing_since   BIGINT,
    created_by      TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL
);
CREATE INDEX webhook_endpoints_by_organization ON webhook_endpoints (organization_id, created_at, id);

CREATE TABLE webhook_deliveries (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    endpoint_id     TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    event_id        TEXT NOT NULL,
    type            TEXT NOT NULL,
    state           TEXT NOT NULL CHECK (state IN ('queued', 'delivered', 'failed')),
    attempts        BIGINT NOT NULL DEFAULT 0,
    round           BIGINT NOT NULL DEFAULT 0,  -- attempts before the last replay
    error           TEXT NOT NULL DEFAULT '',   -- of the last attempt that failed
    next_at         BIGINT,
    created_at      BIGINT NOT NULL,
    ended_at        BIGINT,
    CHECK ((state = 'queued') = (ended_at IS NULL))
);
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, created_at, id);
CREATE INDEX webhook_deliveries_by_end ON webhook_deliveries (ended_at);

CREATE TABLE webhook_attempts (
    delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
    number      BIGINT NOT NULL,
    at          BIGINT NOT NULL,
    took_micros BIGINT NOT NULL,
    status      BIGINT NOT NULL,  -- 0 = there was no response
    response    TEXT NOT NULL,    -- how it began
    error       TEXT NOT NULL,
    PRIMARY KEY (delivery_id, number)
);
