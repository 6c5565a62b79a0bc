// Package searchindex builds and queries the search index of a site. The index is a set of small files. The query
// algorithm is implemented twice, here for servers and in web/theme/src/search for browsers, with the same results
// in the same order.
//
// Inputs: pages as text, or sealed segments of them, in page order; for a query, a function that reads the index's
// files. Outputs: files for the site's tree: an entry with a fixed name, and shards whose names contain a digest of
// their content; hits with snippets. It never keeps text or terms of pages in memory, trusts the files that it
// reads (a shard may be truncated or forged), or writes HTML.
package searchindex
