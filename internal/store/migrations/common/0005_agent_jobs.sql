-- What agent jobs need to be done, followed and gone on with, and the pull requests of the embedded code host. Frozen. Programs of the
-- release before run on this schema too: every new column has a default, and none of them must be filled.

-- +goose Up
ALTER TABLE agent_jobs ADD COLUMN base TEXT NOT NULL DEFAULT '';              -- branch it starts from and proposes to; '' = the project's
ALTER TABLE agent_jobs ADD COLUMN as_draft BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE agent_jobs ADD COLUMN title TEXT NOT NULL DEFAULT '';
ALTER TABLE agent_jobs ADD COLUMN summary TEXT NOT NULL DEFAULT '';
ALTER TABLE agent_jobs ADD COLUMN error TEXT NOT NULL DEFAULT '';
ALTER TABLE agent_jobs ADD COLUMN pr_number BIGINT NOT NULL DEFAULT 0;        -- 0 = there is no pull request
ALTER TABLE agent_jobs ADD COLUMN pr_state TEXT NOT NULL DEFAULT '' CHECK (pr_state IN ('', 'open', 'merged', 'closed'));
ALTER TABLE agent_jobs ADD COLUMN round BIGINT NOT NULL DEFAULT 1;            -- times the job became active
ALTER TABLE agent_jobs ADD COLUMN base_commit TEXT NOT NULL DEFAULT '';       -- of this round
ALTER TABLE agent_jobs ADD COLUMN head_commit TEXT NOT NULL DEFAULT '';       -- pushed last
ALTER TABLE agent_jobs ADD COLUMN steps BIGINT NOT NULL DEFAULT 0;
ALTER TABLE agent_jobs ADD COLUMN input_tokens BIGINT NOT NULL DEFAULT 0;
ALTER TABLE agent_jobs ADD COLUMN output_tokens BIGINT NOT NULL DEFAULT 0;
ALTER TABLE agent_jobs ADD COLUMN cost_micros BIGINT NOT NULL DEFAULT 0;      -- millionths of a US dollar
ALTER TABLE agent_jobs ADD COLUMN entry_seq BIGINT NOT NULL DEFAULT 0;        -- last number in the job's record
CREATE INDEX agent_jobs_by_branch ON agent_jobs (project_id, ref) WHERE ref <> '';
CREATE INDEX agent_jobs_ended ON agent_jobs (updated_at) WHERE status IN ('completed', 'failed');
CREATE INDEX agent_jobs_archived ON agent_jobs (archived_at) WHERE status = 'archived';

CREATE TABLE agent_entries (
    job_id     TEXT NOT NULL REFERENCES agent_jobs (id),
    sequence   BIGINT NOT NULL,
    project_id TEXT NOT NULL,  -- the job's; prompts are counted by it
    round      BIGINT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('prompt', 'answer', 'results', 'note')),
    code       TEXT NOT NULL,
    author     TEXT NOT NULL,
    body       TEXT NOT NULL,  -- text, calls, results and what was used, as JSON
    at         BIGINT NOT NULL,
    UNIQUE (job_id, sequence)
);
CREATE INDEX agent_entries_prompts ON agent_entries (project_id, at) WHERE kind = 'prompt';

CREATE TABLE proposals (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    project_id      TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    number          BIGINT NOT NULL,
    state           TEXT NOT NULL CHECK (state IN ('open', 'merged', 'closed')),
    as_draft        BOOLEAN NOT NULL,
    title           TEXT NOT NULL,
    body            TEXT NOT NULL,
    head            TEXT NOT NULL,
    base            TEXT NOT NULL,
    merge_commit    TEXT NOT NULL DEFAULT '',
    decided_by      TEXT NOT NULL DEFAULT '',
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    UNIQUE (project_id, number),
    CHECK ((state = 'merged') = (merge_commit <> '')),
    CHECK ((state = 'open') = (decided_by = ''))
);
-- Two attempts at the same moment open one.
CREATE UNIQUE INDEX proposals_open ON proposals (project_id, head) WHERE state = 'open';
CREATE INDEX proposals_by_project ON proposals (project_id, created_at, id);
