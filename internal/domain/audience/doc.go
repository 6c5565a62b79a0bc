// Package audience defines site analytics: events, kinds of readers, and the counts that are kept about them.
//
// Inputs: what a browser or a request reports about a visit.
// Outputs: the types that the counter, the store, the API and the dashboard share, and the rules for them.
// It never keeps a reader's address, a cookie, or anything that identifies the same reader on another day.
package audience
