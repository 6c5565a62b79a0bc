// Package analytics receives analytics events from the scripts of a site's pages, and records requests by programs
// and for missing pages.
//
// Inputs: messages from scripts in pages, on the site itself and in bundles served elsewhere; the site's responses to
// programs and to requests for missing pages. Outputs: events for the counter; feedback for the store. It never sets
// a cookie, stores an IP address, records an event from a reader who opted out, or reveals in a response what was
// counted.
package analytics
