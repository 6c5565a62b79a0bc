// Package audience is about who reads a site and what they do there: events, the kinds of readers, and what is counted of them.
//
// In: what a browser or a request tells of a visit.
// Out: nouns that the counter, the store, the API and the dashboard share, and the rules for them.
// Never: an address of a reader, a cookie, or anything by which a reader of today is known tomorrow.
package audience
