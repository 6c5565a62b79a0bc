-- Programs of schema 24: a site below a path of a host.
INSERT INTO projects (id, organization_id, name, source_path, repository, branch, credential, docs_folder, live_id, hook_version, polled_at, created_at, updated_at) VALUES ('prj_24', 'org_1', 'Below', '', 'https://git.example.com/below', 'main', '', '', '', 1, 1700000003000000, 1700000000000000, 1700000003000000);
INSERT INTO project_domains (domain, project_id, position, proof, proven_at, path_host) VALUES ('below.example.com/docs', 'prj_24', 0, 'dns', 1700000000000000, 'below.example.com');
