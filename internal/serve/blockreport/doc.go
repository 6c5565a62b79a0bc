// Package blockreport receives browsers' reports about content that a site's content policy blocked.
//
// Inputs: reports in the report-uri format, which anyone can send. Outputs: counts by kind of content and source, in
// the store. It responds only with a status, never stores who sent a report, and never stores more than a few rows for
// one project. Digests of the senders stay in memory for a day, so that each sender counts only once.
package blockreport
