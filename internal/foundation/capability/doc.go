// Package capability says what the pages of a site offer beyond reading, and where on the site the programs behind it answer.
//
// In: what a deployment has, as whoever builds a site found out (room feature).
// Out: values that builds, layouts and hosts share.
// Never: decides whether a feature is on.
package capability
