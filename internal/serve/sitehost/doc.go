// Package sitehost answers readers: a host name leads to a project, its live deployment, a manifest and stored bytes.
//
// In: a request for a published site or a preview.
// Out: pages with validators, compression and cache rules; redirects; the site's own 404 page.
// Never: building pages, the admin API, or another site's files: a request only ever sees one manifest, so it is
// answered from the old version or the new one, never from a mix (D4).
package sitehost
