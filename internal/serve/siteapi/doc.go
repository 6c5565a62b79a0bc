// Package siteapi is the contract between whoever serves a site (the server, a bundle's server, the preview) and the programs that answer
// below offer.Path on it: the playground's proxy, the assistant, the counter of visits.
//
// In: a request to such an address, and the site it was made to.
// Out: what those programs share: who calls, whether a page of the site itself does, refusals in one form.
// Never: knows one of the programs, or where sites are kept.
package siteapi
