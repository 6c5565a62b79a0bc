// Package hostconfig writes configuration for hosts of static files: redirects, clean addresses (/guides/start is
// guides/start.html), the 404 page, and cache headers for files that never change.
//
// Inputs: redirects as package link parses them, and the path of the site on its host. Outputs: the files that
// hosts read automatically, and snippets in each host's own format to copy or include. It never writes a rule that
// a host would interpret differently from what its author meant; rules that a host does not support are left out
// and listed.
package hostconfig
