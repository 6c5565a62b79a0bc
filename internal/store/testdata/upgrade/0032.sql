-- Programs of schema 32: deployments have versions from branches and tags.
UPDATE deployments SET versions = '{"rules":{"tags":["v*"]},"refs":"0","default":"v1","list":[{"name":"v1","ref":"refs/tags/v1","commit":"c0ffee"}]}' WHERE id = 'dpl_1';
