-- Programs of schema 22: the server has certificates of its own.
INSERT INTO certificate_files (name, sealed, size, updated_at) VALUES ('certificates/ca/docs.example.com/docs.example.com.crt', 'sealed', 1234, 1700000000000000);
INSERT INTO certificate_locks (name, holder, until) VALUES ('issue_cert_docs.example.com', 'server', 1700000060000000);
