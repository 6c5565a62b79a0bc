// Package siteapi is the interface between a site's servers (the server, a bundle server, the preview) and the site's
// endpoints below capability.Path: the playground's proxy, the assistant, the analytics counter.
//
// Inputs: a request to such an endpoint, and its site. Outputs: what those endpoints share: the caller's identity,
// whether a page of the site itself made the request, and one error format. It never depends on a specific endpoint,
// or on where sites are stored.
package siteapi
