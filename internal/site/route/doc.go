// Package route says how a finished site answers over HTTP, whoever serves it: which file an address leads to, and which headers
// go with it. The server, the preview of an author and the tests of both follow one set of rules.
//
// In: a path of a request, the names of the site's files, its redirects.
// Out: the name of a file or a place to go; header values.
// Never: opens a file, knows where sites are kept, writes a body.
package route
