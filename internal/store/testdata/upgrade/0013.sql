-- Programs that ask for proofs: domains are held, claimed or reserved.
INSERT INTO project_domains (domain, project_id, position, proof, proven_at) VALUES ('proven.example.com', 'prj_1', 2, 'dns', 1700000012000000);
INSERT INTO domain_claims (organization_id, domain, project_id, position, created_at) VALUES ('org_1', 'claimed.example.com', 'prj_1', 3, 1700000012000000);
INSERT INTO domain_reservations (domain, organization_id, proof, created_at, expires_at) VALUES ('left.example.com', 'org_1', 'operator', 1700000012000000, 4700000012000000);
