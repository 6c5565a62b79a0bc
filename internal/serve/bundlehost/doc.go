// Package bundlehost serves a site from one bundle: the version that was downloaded and verified most recently.
//
// Inputs: requests; versions from the bundle store, one after another. Outputs: pages with validators, compression
// and cache rules; redirects; the site's own 404 page, by the same rules as for any other site. It never downloads or
// unpacks, and never serves one request from two versions (B13).
package bundlehost
