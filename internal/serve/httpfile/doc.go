// Package httpfile sends files over HTTP whose headers were made once: most requests for a site are for pages that were asked for a moment ago.
//
// In: headers as the slow way made them, a file's bytes or the open file, a request.
// Out: an answer with its length, 304 for who has it, ranges; a bounded store of answers that were made before.
// Never: decides what a path leads to or which headers an answer has.
package httpfile
