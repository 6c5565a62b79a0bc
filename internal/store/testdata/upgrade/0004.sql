-- Programs of schema 4: bundles are given up, and links to others noted.
INSERT INTO static_exports (id, organization_id, project_id, domain, version, paths, status, progress, page_count, bundles, created_at, updated_at, ended_at, reused_from) VALUES ('se_4', 'org_1', 'prj_1', 'docs.example.com', 'v4', '[]', 'completed', 100, 12, '[{"format":"zip","key":"exports/se_1/a.zip","size":3,"sha256":"x"}]', 1700000000000006, 1700000001000000, 1700000001000000, 'se_1');
UPDATE static_exports SET link_until = 1700003600000000 WHERE id = 'se_4';
INSERT INTO static_exports (id, organization_id, project_id, domain, version, paths, status, progress, page_count, bundles, created_at, updated_at, ended_at) VALUES ('se_4x', 'org_1', 'prj_1', 'docs.example.com', 'v0', '[]', 'completed', 100, 12, '[{"format":"zip","key":"exports/se_4x/a.zip","size":3,"sha256":"x"}]', 1700000000000007, 1700000001000000, 1700000001000000);
UPDATE static_exports SET expired_at = 1700000009000000 WHERE id = 'se_4x';
