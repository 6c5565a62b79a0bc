-- Which state may follow which, and what may never change, held by the database itself. Frozen.

-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION lectern_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'check_violation';
END $$;
-- +goose StatementEnd
CREATE TRIGGER static_exports_edges BEFORE UPDATE ON static_exports FOR EACH ROW
WHEN (NOT (NEW.progress >= OLD.progress AND NEW.page_count >= OLD.page_count AND (OLD.status = NEW.status AND OLD.status IN ('queued', 'running')
    OR OLD.status = 'queued' AND NEW.status = 'running'
    OR OLD.status = 'running' AND NEW.status IN ('completed', 'failed'))))
EXECUTE FUNCTION lectern_refuse('illegal change of a static export');
CREATE TRIGGER deployments_edges BEFORE UPDATE ON deployments FOR EACH ROW
WHEN (NOT (OLD.status = NEW.status AND OLD.status IN ('queued', 'in_progress')
    OR OLD.status = 'queued' AND NEW.status = 'in_progress'
    OR OLD.status = 'in_progress' AND NEW.status IN ('success', 'failure')))
EXECUTE FUNCTION lectern_refuse('illegal change of a deployment');
CREATE TRIGGER agent_jobs_edges BEFORE UPDATE ON agent_jobs FOR EACH ROW
WHEN (NOT (OLD.status = NEW.status AND OLD.status <> 'archived'
    OR OLD.status = 'active' AND NEW.status IN ('completed', 'failed', 'archived')
    OR OLD.status IN ('completed', 'failed') AND NEW.status IN ('active', 'archived')))
EXECUTE FUNCTION lectern_refuse('illegal change of an agent job');
CREATE TRIGGER tasks_fence BEFORE UPDATE ON tasks FOR EACH ROW
WHEN (NEW.fence < OLD.fence OR OLD.state = 'done' AND NEW.state <> 'done')
EXECUTE FUNCTION lectern_refuse('illegal change of a task');
CREATE TRIGGER events_never_change BEFORE UPDATE OR DELETE ON events FOR EACH ROW
EXECUTE FUNCTION lectern_refuse('events are append-only');
CREATE TRIGGER events_never_emptied BEFORE TRUNCATE ON events FOR EACH STATEMENT
EXECUTE FUNCTION lectern_refuse('events are append-only');
