// Package route decides how a built site is served over HTTP: which file a path maps to, and which headers the response
// has. The server, the author's preview and the tests for both share its rules.
//
// Inputs: a request path, the names of the site's files, its redirects. Outputs: the name of a file or a redirect
// target; header values. It never opens files or writes bodies, and does not depend on where sites are stored.
package route
