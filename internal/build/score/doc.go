// Package score measures how well programs can read a site: twenty checks, each with a weight, what it examined and how
// to fix it.
//
// Inputs: the address of a site, and a function that makes a request.
// Outputs: a report of one hundred points.
// Never: opens connections itself, follows redirects unchecked, or requests more than a sample of a site's pages.
package score
