// Package serve documents the HTTP layer: the admin API, sites and bundles for readers, the preview, and a site's
// endpoints for programs.
//
// A package belongs here if it deals with HTTP statuses, headers or cookies. Rules about states belong to domain;
// work that outlives a request belongs to jobs.
package serve
