-- What the server's own TLS certificates need, shared by all servers: accounts, keys, certificates and challenges, each
-- encrypted with a key that is not in the database, and who is getting which certificate now.
-- This file is frozen: change the schema with a new file.

-- +goose Up
CREATE TABLE certificate_files (
    name       TEXT PRIMARY KEY,
    sealed     TEXT NOT NULL,
    size       BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE TABLE certificate_locks (
    name   TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    until  BIGINT NOT NULL
);
