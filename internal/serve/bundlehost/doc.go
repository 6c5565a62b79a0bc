// Package bundlehost answers readers from one bundle: the version of a site that was fetched and verified last.
//
// In: requests; versions from the store of bundles, one after another.
// Out: pages with validators, compression and cache rules; redirects; the site's own 404 page, by the rules of every other site.
// Never: fetches, unpacks, or answers one request from two versions (B13).
package bundlehost
