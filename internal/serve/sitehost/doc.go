// Package sitehost serves published sites: it resolves a host name to a project, its live deployment, a manifest and
// stored bytes.
//
// Inputs: a request for a published site or a preview. Outputs: pages with validators, compression and cache rules;
// redirects; the site's own 404 page. For a protected site it identifies the reader before it looks up anything else
// (C7). It never builds pages, serves the admin API, or reads another site's files. A request is served from a single
// manifest, so from either the old or the new version, never from a mix (D4).
package sitehost
