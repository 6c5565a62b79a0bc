// Package tour is a small site with deliberate faults, for a new server's operator to try agents on: links that lead
// nowhere, pages without description, a picture without words, a page that the navigation forgot.
//
// Inputs: the folder site.
// Outputs: it as a file system.
// Never: a fault that keeps a page from being published.
package tour

import (
	"embed"
	"io/fs"
)

//go:embed site
var files embed.FS

// Site returns the tour's source.
func Site() fs.FS {
	site, err := fs.Sub(files, "site")
	if err != nil {
		panic("tour: " + err.Error()) // the name is right
	}
	return site
}
