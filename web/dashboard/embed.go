// Package dashboard holds the dashboard's front end.
//
// Inputs: the files in src, embedded at build time.
// Outputs: these files, as a file system rooted at src. Its modules are bundled from dashboard.ts to dashboard.js.
// It does not depend on who requests the files or how they are sent.
package dashboard

import (
	"embed"
	"io/fs"
)

//go:embed src
var files embed.FS

// Files returns the front end's files, by their path below src.
func Files() fs.FS {
	sub, err := fs.Sub(files, "src")
	if err != nil {
		panic("dashboard: " + err.Error()) // src is embedded above
	}
	return sub
}
