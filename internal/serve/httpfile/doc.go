// Package httpfile sends files over HTTP with precomputed headers, because most requests are for pages that were
// requested a moment before.
//
// Inputs: headers from the uncached path, a file's bytes or the open file, a request. Outputs: a response with its
// length, 304 for clients with a current copy, ranges; a bounded cache of earlier responses. It never decides which
// file a path refers to or which headers a response has.
package httpfile
