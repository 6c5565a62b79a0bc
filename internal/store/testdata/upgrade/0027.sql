-- Programs of schema 27: events are delivered to endpoints.
INSERT INTO webhook_endpoints (id, organization_id, url, description, events, enabled, sealed, created_by, created_at, updated_at) VALUES ('whe_1', 'org_1', 'https://hooks.example.com/in', 'Chat', '["export.*"]', TRUE, 'c2VhbGVk', 'key_1', 1700000000000000, 1700000000000000);
INSERT INTO tasks (id, kind, organization_id, state, created_at, receiver) VALUES ('whd_1', 'delivery', 'org_1', 'queued', 1700000000000000, 'whe_1');
INSERT INTO webhook_deliveries (id, organization_id, endpoint_id, event_id, type, state, attempts, error, created_at) VALUES ('whd_1', 'org_1', 'whe_1', 'evt_1', 'export.start', 'queued', 1, 'No.', 1700000000000000);
INSERT INTO webhook_attempts (delivery_id, number, at, took_micros, status, response, error) VALUES ('whd_1', 1, 1700000000000000, 20, 500, 'no', 'No.');
