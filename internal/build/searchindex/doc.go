// Package searchindex makes the search of a site and asks it. The index is a set of small files, and one algorithm reads them:
// written here for servers and in web/theme/src/search for browsers, with the same results in the same order.
//
// In: pages as text, or segments of them that were sealed before, in page order; for a question, a function that reads the index's files.
// Out: files for the site's tree: an entry of fixed name, and shards whose names hold a digest of their content; hits with snippets.
// Never: keeps text or terms of pages in memory; trusts what it reads back (a shard may be cut or forged); writes HTML.
package searchindex
