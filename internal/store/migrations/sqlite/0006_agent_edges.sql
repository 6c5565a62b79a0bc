-- Rules of agent jobs, their records and proposals, held by the database itself. Frozen.
-- A job has one branch; while its pull request is open it has no other; of an archived one only what became of its pull request changes. The
-- task of a job that goes on with a message waits again. A record only grows, and goes as a whole once its job is archived.

-- +goose Up
DROP TRIGGER agent_jobs_edges;
-- +goose StatementBegin
CREATE TRIGGER agent_jobs_edges BEFORE UPDATE ON agent_jobs
WHEN NOT (NEW.entry_seq >= OLD.entry_seq AND (OLD.ref = '' OR NEW.ref = OLD.ref)
    AND (OLD.pr_number IN (0, NEW.pr_number) OR OLD.pr_state IN ('merged', 'closed'))
    AND (OLD.pr_state <> 'merged' OR NEW.pr_state = 'merged' OR NEW.pr_number <> OLD.pr_number)
    AND (NEW.status = 'archived' OR (NEW.status = 'failed') = (NEW.error <> ''))
    AND (NEW.round = OLD.round AND (OLD.status = NEW.status AND OLD.status <> 'archived'
            OR OLD.status = 'active' AND NEW.status IN ('completed', 'failed', 'archived')
            OR OLD.status IN ('completed', 'failed') AND NEW.status = 'archived'
            OR OLD.status = 'archived' AND NEW.status = 'archived' AND NEW.archived_at = OLD.archived_at AND NEW.ref = OLD.ref
                AND NEW.head_commit = OLD.head_commit AND NEW.pr_link = OLD.pr_link AND NEW.summary = OLD.summary AND NEW.error = OLD.error)
        OR NEW.round = OLD.round + 1 AND OLD.status IN ('completed', 'failed') AND NEW.status = 'active'))
BEGIN
    SELECT RAISE(ABORT, 'illegal change of an agent job');
END;
-- +goose StatementEnd
DROP TRIGGER tasks_fence;
-- +goose StatementBegin
CREATE TRIGGER tasks_fence BEFORE UPDATE ON tasks
WHEN NEW.fence < OLD.fence OR OLD.state = 'done' AND NEW.state <> 'done' AND NOT (NEW.kind = 'agent' AND NEW.state = 'queued')
BEGIN
    SELECT RAISE(ABORT, 'illegal change of a task');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER agent_entries_never_change BEFORE UPDATE ON agent_entries
BEGIN
    SELECT RAISE(ABORT, 'a job''s record only grows');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER agent_entries_stay BEFORE DELETE ON agent_entries
WHEN NOT EXISTS (SELECT 1 FROM agent_jobs WHERE id = OLD.job_id AND status = 'archived')
BEGIN
    SELECT RAISE(ABORT, 'a job''s record only grows');
END;
-- +goose StatementEnd
-- REPLACE removes rows without asking the trigger above.
-- +goose StatementBegin
CREATE TRIGGER agent_entries_never_replaced BEFORE INSERT ON agent_entries
WHEN EXISTS (SELECT 1 FROM agent_entries WHERE job_id = NEW.job_id AND sequence = NEW.sequence)
BEGIN
    SELECT RAISE(ABORT, 'a job''s record only grows');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER proposals_edges BEFORE UPDATE ON proposals
WHEN NOT (NEW.project_id = OLD.project_id AND NEW.number = OLD.number AND NEW.head = OLD.head AND (OLD.state = NEW.state AND OLD.state <> 'merged'
    OR OLD.state = 'open' AND NEW.state IN ('merged', 'closed')
    OR OLD.state = 'closed' AND NEW.state = 'open'))
BEGIN
    SELECT RAISE(ABORT, 'illegal change of a proposal');
END;
-- +goose StatementEnd
