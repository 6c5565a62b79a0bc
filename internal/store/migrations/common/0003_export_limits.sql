-- What exports need for live figures, joining, caps and retention. Frozen. Programs of the release before run on this schema too:
-- every new column has a default, and none of them must be filled.

-- +goose Up
ALTER TABLE static_exports ADD COLUMN deployment_id TEXT NOT NULL DEFAULT '';    -- published state to export; '' = none, the source is fetched
ALTER TABLE static_exports ADD COLUMN identity TEXT NOT NULL DEFAULT '';         -- equal for jobs that make the same files; '' = stands alone
ALTER TABLE static_exports ADD COLUMN page_total BIGINT NOT NULL DEFAULT 0;      -- 0 = not known
ALTER TABLE static_exports ADD COLUMN pages_per_second DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE static_exports ADD COLUMN left_micros BIGINT;                        -- guess; NULL = not known
ALTER TABLE static_exports ADD COLUMN error_code TEXT NOT NULL DEFAULT '';
ALTER TABLE static_exports ADD COLUMN canceled_by TEXT NOT NULL DEFAULT '';
ALTER TABLE static_exports ADD COLUMN diagnostics TEXT NOT NULL DEFAULT '[]';
ALTER TABLE static_exports ADD COLUMN reused_from TEXT NOT NULL DEFAULT '';      -- export whose bundles these are
ALTER TABLE static_exports ADD COLUMN ended_at BIGINT;                           -- NULL also where an older program ended it: then updated_at
ALTER TABLE static_exports ADD COLUMN expired_at BIGINT;                         -- when the bundles were given up
ALTER TABLE static_exports ADD COLUMN link_until BIGINT NOT NULL DEFAULT 0;      -- when the last link to them dies

-- Two starts at the same moment make one job.
CREATE UNIQUE INDEX static_exports_open ON static_exports (identity) WHERE identity <> '' AND status IN ('queued', 'running');
CREATE INDEX static_exports_by_identity ON static_exports (identity, created_at) WHERE identity <> '';
CREATE INDEX static_exports_stored ON static_exports (organization_id) WHERE status = 'completed' AND expired_at IS NULL;
CREATE INDEX static_exports_pending ON static_exports (project_id) WHERE status IN ('queued', 'running');
