-- Programs of schema 18: browsers report what a content policy blocked.
INSERT INTO blocked (project_id, kind, source, page, reports, first_seen, last_seen) VALUES ('prj_1', 'script', 'https://widget.example.com', '/start', 3, 1700000014000000, 1700000015000000);
