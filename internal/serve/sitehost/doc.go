// Package sitehost serves published sites: it resolves a host name to a project, its live deployment, a manifest and
// stored bytes.
//
// Inputs: a request for a published site or a preview.
// Outputs: pages with validators, compression and cache rules; redirects; the site's own 404 page.
// It asks for the reader of a request to a protected site before it looks anything else up (C7).
// It never builds pages, serves the admin API, or reads another site's files. A request only ever sees one manifest,
// so it is answered from the old version or the new one, never from a mix (D4).
package sitehost
