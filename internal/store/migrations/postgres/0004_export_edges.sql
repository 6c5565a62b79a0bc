-- A completed export may lose its bundles, once, and note links to them; nothing else about it changes. Frozen.

-- +goose Up
DROP TRIGGER static_exports_edges ON static_exports;
CREATE TRIGGER static_exports_edges BEFORE UPDATE ON static_exports FOR EACH ROW
WHEN (NOT (NEW.progress >= OLD.progress AND NEW.page_count >= OLD.page_count AND (OLD.status = NEW.status AND OLD.status IN ('queued', 'running')
    OR OLD.status = 'queued' AND NEW.status = 'running'
    OR OLD.status = 'running' AND NEW.status IN ('completed', 'failed')
    OR OLD.status = 'completed' AND NEW.status = 'completed' AND NEW.bundles = OLD.bundles AND NEW.link_until >= OLD.link_until
        AND (OLD.expired_at IS NULL OR NEW.expired_at IS NOT DISTINCT FROM OLD.expired_at))))
EXECUTE FUNCTION lectern_refuse('illegal change of a static export');
