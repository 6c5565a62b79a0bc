-- Programs of schema 31: members get events by mail.
INSERT INTO webhook_endpoints (id, organization_id, url, description, events, enabled, sealed, created_by, created_at, updated_at, format, recipients) VALUES ('whe_2', 'org_1', '', 'Alerts', '["alert.*"]', TRUE, 'c2VhbGVk', 'key_1', 1700000000000000, 1700000000000000, 'mail', '["a@example.com"]');
INSERT INTO tasks (id, kind, organization_id, state, created_at, receiver) VALUES ('whd_2', 'delivery', 'org_1', 'queued', 1700000000000000, 'whe_2');
INSERT INTO webhook_deliveries (id, organization_id, endpoint_id, event_id, type, state, created_at, recipient) VALUES ('whd_2', 'org_1', 'whe_2', 'evt_1', 'alert.raise', 'queued', 1700000000000000, 'a@example.com');
