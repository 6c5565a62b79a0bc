-- Programs of schema 7: people sign in, are invited, and roll sites back.
INSERT INTO people (id, email, name, password_hash, issuer, subject, totp_sealed, totp_step, recovery, created_at) VALUES ('per_7', 'owner@example.com', 'Owner', '$argon2id$x', '', '', 'sealed', 42, '["r1"]', 1700000000000000);
INSERT INTO people (id, email, name, password_hash, issuer, subject, created_at) VALUES ('per_7o', 'other@example.com', 'Other', '', 'https://id.example.com', 'sub-1', 1700000000000000);
INSERT INTO sessions (id, hash, person_id, organization_id, method, address, agent, created_at, seen_at) VALUES ('ses_7', 'session-hash', 'per_7', 'org_1', 'password', '203.0.113.9', 'browser', 1700000000000000, 1700000001000000);
INSERT INTO invitations (id, organization_id, kind, email, role, hash, created_by, created_at, expires_at) VALUES ('inv_7', 'org_1', 'join', 'new@example.com', 'editor', 'invitation-hash', 'mem_1', 1700000000000000, 1900000000000000);
UPDATE projects SET rolled_back_at = 1700000004000000 WHERE id = 'prj_1';
