// Package eventforward sends readers' events from the server to the analytics tools in a site's docs.json.
//
// Inputs: the counter's events; the tools of a published site. Outputs: requests in each tool's documented format, a
// few seconds later, through the guard that applies to all addresses chosen by authors. It never sends an IP address,
// a cookie or a reader's name, never blocks the caller that reports an event, and never holds more than a bounded
// number of events in memory.
package eventforward
