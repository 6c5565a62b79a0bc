// Package analytics is told by pages what their readers do, and watches what a site serves to programs.
//
// In: messages of scripts in pages, from the site itself and from bundles of it elsewhere; answers of the site to programs and to those who
// asked for what is not there.
// Out: events for whoever counts; feedback for the store.
// Never: a cookie, a stored address, an event of a reader who asked not to be counted, or an answer that tells a stranger what was counted.
package analytics
