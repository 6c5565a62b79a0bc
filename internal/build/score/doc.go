// Package score measures how well programs can read a site: twenty checks, each with a weight, the evidence and a
// hint.
//
// Inputs: the address of a site, and a function that sends a request. Outputs: a report with a score of up to one
// hundred points. It never opens connections itself, follows redirects unchecked, or requests more than a sample of a
// site's pages.
package score
