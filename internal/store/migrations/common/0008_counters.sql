-- Counts that all processes share: requests of a caller, wrong passwords.
-- This file is frozen: change the schema with a new file.

-- +goose Up
CREATE TABLE counters (
    name  TEXT PRIMARY KEY,   -- a hash: what is counted may be an address
    n     BIGINT NOT NULL,
    until BIGINT NOT NULL     -- when it begins anew
);
CREATE INDEX counters_by_end ON counters (until);
