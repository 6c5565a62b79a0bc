-- Programs of schema 11: deployments say what their pages offer.
INSERT INTO deployments (id, organization_id, project_id, kind, branch, status, error, triggered_by, offers, created_at, updated_at, ended_at) VALUES ('dep_11', 'org_1', 'prj_1', 'production', 'wip', 'failure', 'no page', 'features', '{Search:true}', 1700000011000000, 1700000011000000, 1700000011000000);
