-- Rules of agent jobs, their records and proposals, held by the database itself. Frozen.
-- A job has one branch; while its pull request is open it has no other; of an archived one only what became of its pull request changes. The
-- task of a job that goes on with a message waits again. A record only grows, and goes as a whole once its job is archived.

-- +goose Up
DROP TRIGGER agent_jobs_edges ON agent_jobs;
CREATE TRIGGER agent_jobs_edges BEFORE UPDATE ON agent_jobs FOR EACH ROW
WHEN (NOT (NEW.entry_seq >= OLD.entry_seq AND (OLD.ref = '' OR NEW.ref = OLD.ref)
    AND (OLD.pr_number IN (0, NEW.pr_number) OR OLD.pr_state IN ('merged', 'closed'))
    AND (OLD.pr_state <> 'merged' OR NEW.pr_state = 'merged' OR NEW.pr_number <> OLD.pr_number)
    AND (NEW.status = 'archived' OR (NEW.status = 'failed') = (NEW.error <> ''))
    AND (NEW.round = OLD.round AND (OLD.status = NEW.status AND OLD.status <> 'archived'
            OR OLD.status = 'active' AND NEW.status IN ('completed', 'failed', 'archived')
            OR OLD.status IN ('completed', 'failed') AND NEW.status = 'archived'
            OR OLD.status = 'archived' AND NEW.status = 'archived' AND NEW.archived_at = OLD.archived_at AND NEW.ref = OLD.ref
                AND NEW.head_commit = OLD.head_commit AND NEW.pr_link = OLD.pr_link AND NEW.summary = OLD.summary AND NEW.error = OLD.error)
        OR NEW.round = OLD.round + 1 AND OLD.status IN ('completed', 'failed') AND NEW.status = 'active')))
EXECUTE FUNCTION lectern_refuse('illegal change of an agent job');
DROP TRIGGER tasks_fence ON tasks;
CREATE TRIGGER tasks_fence BEFORE UPDATE ON tasks FOR EACH ROW
WHEN (NEW.fence < OLD.fence OR OLD.state = 'done' AND NEW.state <> 'done' AND NOT (NEW.kind = 'agent' AND NEW.state = 'queued'))
EXECUTE FUNCTION lectern_refuse('illegal change of a task');
CREATE TRIGGER agent_entries_never_change BEFORE UPDATE ON agent_entries FOR EACH ROW
EXECUTE FUNCTION lectern_refuse('a job''s record only grows');
-- +goose StatementBegin
CREATE FUNCTION lectern_keep_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM agent_jobs WHERE id = OLD.job_id AND status = 'archived') THEN
        RAISE EXCEPTION 'a job''s record only grows' USING ERRCODE = 'check_violation';
    END IF;
    RETURN OLD;
END $$;
-- +goose StatementEnd
CREATE TRIGGER agent_entries_stay BEFORE DELETE ON agent_entries FOR EACH ROW
EXECUTE FUNCTION lectern_keep_entry();
CREATE TRIGGER agent_entries_never_emptied BEFORE TRUNCATE ON agent_entries FOR EACH STATEMENT
EXECUTE FUNCTION lectern_refuse('a job''s record only grows');
CREATE TRIGGER proposals_edges BEFORE UPDATE ON proposals FOR EACH ROW
WHEN (NOT (NEW.project_id = OLD.project_id AND NEW.number = OLD.number AND NEW.head = OLD.head AND (OLD.state = NEW.state AND OLD.state <> 'merged'
    OR OLD.state = 'open' AND NEW.state IN ('merged', 'closed')
    OR OLD.state = 'closed' AND NEW.state = 'open')))
EXECUTE FUNCTION lectern_refuse('illegal change of a proposal');
