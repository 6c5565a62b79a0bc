-- Work that one process of a cluster does every so often, and which process claimed it last. The tables of River, the queue
-- library of earlier programs, stay in databases that have them: servers of the release before use them while a release is
-- rolled out. The release after this one drops them.
-- This file is frozen: change the schema with a new file.

-- +goose Up
CREATE TABLE chores (
    name       TEXT PRIMARY KEY,
    process    TEXT NOT NULL,
    claimed_at BIGINT NOT NULL  -- by the database's clock: when it began last, or was still running
);
