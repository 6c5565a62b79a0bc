-- Programs of schema 20: readers ask for views of a site.
INSERT INTO reader_views (project_id, view, asked_at) VALUES ('prj_1', 'groups=a,b', 1700000017000000);
