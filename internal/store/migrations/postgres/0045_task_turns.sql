-- Which organization's turn it is to have a task taken, so that taking one does not look at every organization that waits.
-- A task that is queued is not listed: the transaction that queues it must not wait for workers. Workers list it once it is
-- due, and only listed tasks are taken.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE tasks ADD COLUMN listed BOOLEAN NOT NULL DEFAULT FALSE;  -- of queued tasks: task_turns has a row because of it
CREATE TABLE task_turns (
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    kind            TEXT NOT NULL,    -- of the tasks
    last_start      BIGINT NOT NULL,  -- of any task of the organization; 0 = never
    first_at        BIGINT NOT NULL,  -- when its first listed task of this kind was created
    first_id        TEXT NOT NULL,    -- of that task; it may have been canceled since
    PRIMARY KEY (organization_id, kind)
);
CREATE INDEX task_turns_in_order ON task_turns (kind, last_start, first_at, organization_id, first_id);
CREATE INDEX tasks_unlisted ON tasks (kind, not_before) WHERE state = 'queued' AND NOT listed;
CREATE INDEX tasks_listed ON tasks (organization_id, kind, created_at, id) WHERE state = 'queued' AND listed;
CREATE INDEX tasks_listed_by_receiver ON tasks (organization_id, kind, receiver, created_at, id) WHERE state = 'queued' AND listed;
-- +goose StatementBegin
CREATE FUNCTION lectern_unlist() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.listed := FALSE;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER tasks_unlist BEFORE UPDATE ON tasks FOR EACH ROW
WHEN (NEW.listed AND NEW.state = 'queued'
    AND (OLD.state <> 'queued' OR NEW.not_before <> OLD.not_before OR NEW.created_at <> OLD.created_at))
EXECUTE FUNCTION lectern_unlist();
