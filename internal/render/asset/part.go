package asset

import "github.com/lectern-docs/lectern/internal/site/output"

// Part is a piece of the front end that only some pages need. It is written together with the first such page.
type Part struct {
	Path  string // path of the main file, for pages
	Files []output.File
}

// NewPart creates a part with a single file. It adds a digest of the content to the file's name.
func NewPart(name string, data []byte) Part {
	f := fingerprint(name, data)
	return Part{Path: f.Path, Files: []output.File{f}}
}
