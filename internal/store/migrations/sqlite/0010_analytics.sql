-- What readers do, added up by day: rows do not grow with the number of visits. No address, no cookie, nobody's name.
-- This file is frozen: change the schema with a new file.
-- Rows of counts stand in the order of their key, which is how they are read.

-- +goose Up
-- What of a day is counted for a project as a whole. Reads are told apart by class of reader.
CREATE TABLE audience_days (
    project_id            TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    day                   BIGINT NOT NULL,  -- days since 1970, in UTC, here and below
    human                 BIGINT NOT NULL,
    ai                    BIGINT NOT NULL,
    search_index          BIGINT NOT NULL,
    training              BIGINT NOT NULL,
    other_ai              BIGINT NOT NULL,
    human_visitors        BIGINT NOT NULL,
    ai_visitors           BIGINT NOT NULL,
    search_index_visitors BIGINT NOT NULL,
    training_visitors     BIGINT NOT NULL,
    other_ai_visitors     BIGINT NOT NULL,
    searches              BIGINT NOT NULL,
    no_results            BIGINT NOT NULL,
    clicks                BIGINT NOT NULL,
    missing               BIGINT NOT NULL,
    asks                  BIGINT NOT NULL,
    tries                 BIGINT NOT NULL,
    copies                BIGINT NOT NULL,
    suggestions           BIGINT NOT NULL,
    marks                 BIGINT NOT NULL DEFAULT 0,  -- rows of audience_marks that were made for it
    PRIMARY KEY (project_id, day)
) WITHOUT ROWID;

CREATE TABLE audience_pages (
    project_id            TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    day                   BIGINT NOT NULL,
    path                  TEXT NOT NULL,
    human                 BIGINT NOT NULL,
    ai                    BIGINT NOT NULL,
    search_index          BIGINT NOT NULL,
    training              BIGINT NOT NULL,
    other_ai              BIGINT NOT NULL,
    human_visitors        BIGINT NOT NULL,
    ai_visitors           BIGINT NOT NULL,
    search_index_visitors BIGINT NOT NULL,
    training_visitors     BIGINT NOT NULL,
    other_ai_visitors     BIGINT NOT NULL,
    PRIMARY KEY (project_id, day, path)
) WITHOUT ROWID;

CREATE TABLE audience_referrers (
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    day        BIGINT NOT NULL,
    host       TEXT NOT NULL,
    n          BIGINT NOT NULL,
    PRIMARY KEY (project_id, day, host)
) WITHOUT ROWID;

CREATE TABLE audience_searches (
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    day        BIGINT NOT NULL,
    query      TEXT NOT NULL,
    n          BIGINT NOT NULL,
    no_results BIGINT NOT NULL,
    clicks     BIGINT NOT NULL,
    hits       BIGINT NOT NULL,  -- of the last search
    last_at    BIGINT NOT NULL,  -- 0 = it was clicked only, and searched for on another day
    PRIMARY KEY (project_id, day, query)
) WITHOUT ROWID;

-- Which results of a search were opened. Asked for by query, over many days.
CREATE TABLE audience_clicks (
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    query      TEXT NOT NULL,
    day        BIGINT NOT NULL,
    target     TEXT NOT NULL,
    n          BIGINT NOT NULL,
    PRIMARY KEY (project_id, query, day, target)
) WITHOUT ROWID;
CREATE INDEX audience_clicks_by_day ON audience_clicks (project_id, day);

CREATE TABLE audience_missing (
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    day        BIGINT NOT NULL,
    path       TEXT NOT NULL,
    referrer   TEXT NOT NULL,
    n          BIGINT NOT NULL,
    last_at    BIGINT NOT NULL,
    PRIMARY KEY (project_id, day, path, referrer)
) WITHOUT ROWID;

CREATE TABLE audience_tries (
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    day        BIGINT NOT NULL,
    operation  TEXT NOT NULL,
    n          BIGINT NOT NULL,
    succeeded  BIGINT NOT NULL,
    refused    BIGINT NOT NULL,
    failed     BIGINT NOT NULL,
    last_at    BIGINT NOT NULL,
    PRIMARY KEY (project_id, day, operation)
) WITHOUT ROWID;

-- Who was counted as a visitor today. Both tables are emptied soon after the day is over, so that nobody is known tomorrow.
CREATE TABLE audience_marks (
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    day        BIGINT NOT NULL,
    mark       BIGINT NOT NULL,
    PRIMARY KEY (project_id, day, mark)
) WITHOUT ROWID;
CREATE INDEX audience_marks_by_day ON audience_marks (day);
CREATE TABLE audience_salts (
    day  BIGINT PRIMARY KEY,
    salt TEXT NOT NULL
);

CREATE TABLE feedback (
    id         TEXT PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    path       TEXT NOT NULL,
    source     TEXT NOT NULL CHECK (source IN ('thumbs_only', 'contextual', 'code_snippet', 'agent')),
    helpful    BIGINT NOT NULL CHECK (helpful IN (-1, 0, 1)),  -- -1 = not said
    comment    TEXT NOT NULL,
    contact    TEXT NOT NULL,
    code       TEXT NOT NULL,
    filename   TEXT NOT NULL,
    lang       TEXT NOT NULL,
    status     TEXT NOT NULL CHECK (status IN ('pending', 'in_progress', 'resolved', 'dismissed')),
    note       TEXT NOT NULL,
    mark       BIGINT NOT NULL,  -- 0 after its day
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX feedback_by_project ON feedback (project_id, created_at, id);
CREATE INDEX feedback_marked ON feedback (created_at) WHERE mark <> 0;
