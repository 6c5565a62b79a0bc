// Package siteapi is the contract between the servers of a site (the server, a bundle's server, the preview) and the
// endpoints below offer.Path on it: the playground's proxy, the assistant, the analytics counter.
//
// Inputs: a request to such an endpoint, and the site it was made to.
// Outputs: what those endpoints share: who calls, whether a page of the site itself does, and one format for
// refusals.
// It never knows a specific endpoint, or where sites are stored.
package siteapi
