// Package eventforward tells the analytics tools that a site's docs.json names of what readers do, from the server.
//
// In: events as the counter has them; the tools of a published site.
// Out: requests in each tool's documented form, through the guard that all author-chosen addresses pass, a few seconds later.
// Never: an address, a cookie or a name of a reader; waits while an event is told; more than a bounded number of events in memory.
package eventforward
