-- Programs of schema 41: deployments know how far the translations of their site are.
UPDATE deployments SET translations = '[{"language":"fr","current":1,"stale":1,"unmarked":0,"missing":0,"behind":[{"path":"fr/start","source":"start","state":"stale"}]}]' WHERE id = 'dpl_1';
