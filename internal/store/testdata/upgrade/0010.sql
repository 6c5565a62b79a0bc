-- Programs of schema 10: what readers did on a day, and what they said.
INSERT INTO audience_days (project_id, day, human, ai, search_index, training, other_ai, human_visitors, ai_visitors, search_index_visitors, training_visitors, other_ai_visitors, searches, no_results, clicks, missing, asks, tries, copies, suggestions) VALUES ('prj_1', 20000, 5, 2, 1, 1, 0, 3, 1, 1, 1, 0, 2, 1, 1, 1, 1, 1, 1, 1);
INSERT INTO audience_pages (project_id, day, path, human, ai, search_index, training, other_ai, human_visitors, ai_visitors, search_index_visitors, training_visitors, other_ai_visitors) VALUES ('prj_1', 20000, '/guides/start', 5, 2, 1, 1, 0, 3, 1, 1, 1, 0);
INSERT INTO audience_referrers (project_id, day, host, n) VALUES ('prj_1', 20000, 'news.example.com', 4);
INSERT INTO audience_searches (project_id, day, query, n, no_results, clicks, hits, last_at) VALUES ('prj_1', 20000, 'install', 2, 1, 1, 7, 1728000000000000);
INSERT INTO audience_clicks (project_id, query, day, target, n) VALUES ('prj_1', 'install', 20000, '/guides/start', 1);
INSERT INTO audience_missing (project_id, day, path, referrer, n, last_at) VALUES ('prj_1', 20000, '/gone', 'news.example.com', 1, 1728000000000000);
INSERT INTO audience_tries (project_id, day, operation, n, succeeded, refused, failed, last_at) VALUES ('prj_1', 20000, 'GET /plants', 1, 1, 0, 0, 1728000000000000);
INSERT INTO audience_marks (project_id, day, mark) VALUES ('prj_1', 20000, -42);
INSERT INTO audience_salts (day, salt) VALUES (20000, '00ff');
INSERT INTO feedback (id, project_id, path, source, helpful, comment, contact, code, filename, lang, status, note, mark, created_at, updated_at) VALUES ('fb_10', 'prj_1', '/guides/start', 'contextual', 1, 'Clear.', '', '', '', '', 'resolved', 'thanks', 0, 1728000000000000, 1728000000000000);
