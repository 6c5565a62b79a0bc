// Package score tells how well a site can be read by programs: twenty checks, each with a weight, what was looked at and how to mend it.
//
// In: the address of a site, and a function that makes a request.
// Out: a report of one hundred points.
// Never: opens connections itself, follows redirects without looking at them, or asks a site for more than a sample of its pages.
package score
