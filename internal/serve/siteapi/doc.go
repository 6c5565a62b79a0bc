// Package siteapi is the interface between the servers of a site (the server, a bundle's server, the preview) and the
// endpoints below capability.Path on it: the playground's proxy, the assistant, the analytics counter.
//
// Inputs: a request to such an endpoint, and its site. Outputs: what those endpoints share: the caller's identity,
// whether a page of the site itself made the request, and one error format. It never knows a specific endpoint, or
// where sites are stored.
package siteapi
