-- Programs of schema 23: mails are sent, and owners were alerted.
INSERT INTO tasks (id, kind, organization_id, state, created_at) VALUES ('ml_1', 'mail', 'org_1', 'queued', 1700000000000000);
INSERT INTO mails (id, organization_id, kind, address, invitation_id, sealed, state, created_at) VALUES ('ml_1', 'org_1', 'invitation', 'new@example.com', 'inv_1', 'sealed', 'queued', 1700000000000000);
INSERT INTO mails (id, organization_id, kind, address, content, state, error, created_at, ended_at) VALUES ('ml_2', 'org_1', 'alert', 'owner@example.com', '{"rule":"build"}', 'failed', 'No.', 1700000000000000, 1700000000000001);
INSERT INTO alerts (rule, organization_id, subject, raised_at) VALUES ('build', 'org_1', 'prj_1', 1700000000000000);
