-- Programs of schema 42: what the manifest of a deployment refers to is kept beside it.
INSERT INTO manifest_needs (deployment_id, blobs) VALUES ('dep_1', '["sites/prj_1/packs/dep_1-0"]');
