-- Programs of schema 21: a site is for some readers only, and one of them is signed in.
INSERT INTO reader_access (project_id, mode, password_hash, settings, sealed, version, updated_at) VALUES ('prj_1', 'password', 'hash-of-password', '{}', '', 3, 1700000016000000);
INSERT INTO reader_sessions (hash, project_id, host, version, method, subject, reader_groups, member_session, created_at, seen_at) VALUES ('reader-hash', 'prj_1', 'docs.example.com', 3, 'password', '', '["staff"]', '', 1700000017000000, 1700000018000000);
