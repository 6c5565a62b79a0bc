package asset

import "github.com/lectern-docs/lectern/internal/site/output"

// Part is a piece of the front end that only some pages need. It is written when the first of them is.
type Part struct {
	Path  string // of the file that pages name
	Files []output.File
}

// NewPart makes a part of one file, whose name gets a digest of its content.
func NewPart(name string, data []byte) Part {
	f := fingerprint(name, data)
	return Part{Path: f.Path, Files: []output.File{f}}
}
