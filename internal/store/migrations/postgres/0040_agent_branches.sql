-- A job whose pull request was merged or closed goes on with another branch and another pull request. While the pull
-- request is open it has one branch and no other.
-- This file is frozen: change the schema with a new file.

-- +goose Up
DROP TRIGGER agent_jobs_edges ON agent_jobs;
CREATE TRIGGER agent_jobs_edges BEFORE UPDATE ON agent_jobs FOR EACH ROW
WHEN (NOT (NEW.entry_seq >= OLD.entry_seq AND (OLD.ref IN ('', NEW.ref)
        OR OLD.pr_state IN ('merged', 'closed') AND NEW.pr_number <> OLD.pr_number AND NEW.status = 'active')
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
