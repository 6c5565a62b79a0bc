-- Which state may follow which, and what may never change, held by the database itself. Frozen.

-- +goose Up
-- +goose StatementBegin
CREATE TRIGGER static_exports_edges BEFORE UPDATE ON static_exports
WHEN NOT (NEW.progress >= OLD.progress AND NEW.page_count >= OLD.page_count AND (OLD.status = NEW.status AND OLD.status IN ('queued', 'running')
    OR OLD.status = 'queued' AND NEW.status = 'running'
    OR OLD.status = 'running' AND NEW.status IN ('completed', 'failed')))
BEGIN
    SELECT RAISE(ABORT, 'illegal change of a static export');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER deployments_edges BEFORE UPDATE ON deployments
WHEN NOT (OLD.status = NEW.status AND OLD.status IN ('queued', 'in_progress')
    OR OLD.status = 'queued' AND NEW.status = 'in_progress'
    OR OLD.status = 'in_progress' AND NEW.status IN ('success', 'failure'))
BEGIN
    SELECT RAISE(ABORT, 'illegal change of a deployment');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER agent_jobs_edges BEFORE UPDATE ON agent_jobs
WHEN NOT (OLD.status = NEW.status AND OLD.status <> 'archived'
    OR OLD.status = 'active' AND NEW.status IN ('completed', 'failed', 'archived')
    OR OLD.status IN ('completed', 'failed') AND NEW.status IN ('active', 'archived'))
BEGIN
    SELECT RAISE(ABORT, 'illegal change of an agent job');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER tasks_fence BEFORE UPDATE ON tasks
WHEN NEW.fence < OLD.fence OR OLD.state = 'done' AND NEW.state <> 'done'
BEGIN
    SELECT RAISE(ABORT, 'illegal change of a task');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER events_never_change BEFORE UPDATE ON events
BEGIN
    SELECT RAISE(ABORT, 'events are append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER events_never_go BEFORE DELETE ON events
BEGIN
    SELECT RAISE(ABORT, 'events are append-only');
END;
-- +goose StatementEnd
-- REPLACE removes rows without asking the trigger above.
-- +goose StatementBegin
CREATE TRIGGER events_never_replaced BEFORE INSERT ON events
WHEN EXISTS (SELECT 1 FROM events WHERE id = NEW.id) OR EXISTS (SELECT 1 FROM events WHERE organization_id = NEW.organization_id AND sequence = NEW.sequence)
BEGIN
    SELECT RAISE(ABORT, 'events are append-only');
END;
-- +goose StatementEnd
