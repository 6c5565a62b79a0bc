// Package docs is Lectern's own documentation, carried inside the program: the first site a new server publishes.
//
// Inputs: docs.json and the pages beside this file, and a copy of the admin API's description: a site has all its files in
// its folder. Outputs: them as a file system. Never: code; the pages are built by the same path as every other site.
package docs

import "embed"

// Site is the documentation's source.
//
//go:embed docs.json openapi.yaml *.mdx *.svg guides reference decisions write components snippets images
var Site embed.FS
