// Package csp builds the content security policy of a site's pages from the sources that the author allows.
//
// Inputs: sources by kind, from docs.json or from a file of a built site. Outputs: checked sources, and the value of
// the Content-Security-Policy header. It never accepts a source that could end a directive or start another one, and
// never allows inline scripts.
package csp
