// Package serve documents the layer of HTTP: the admin API, sites and bundles for readers, the preview, and the endpoints of a site
// for programs.
//
// A package belongs here if it knows an HTTP status, a header or a cookie. Rules about states belong to domain, work that outlives
// a request belongs to jobs.
package serve
