-- Programs of schema 8: counts that all processes share.
INSERT INTO counters (name, n, until) VALUES ('0123456789abcdef0123456789abcdef', 3, 1900000000000000);
