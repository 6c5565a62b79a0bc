// Package serve documents the HTTP layer: the admin API, sites and bundles for readers, the preview, and the endpoints
// that a site offers to programs.
//
// A package belongs here if it deals with HTTP statuses, headers or cookies. Rules about state transitions belong to
// domain; work that outlives a request belongs to jobs.
package serve
