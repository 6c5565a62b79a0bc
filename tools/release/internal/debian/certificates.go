package debian

import (
	"errors"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/tools/release/internal/tree"
)

// Certificates joins the certificate authorities in the package ca-certificates into the single file that Go, git and
// curl read.
func Certificates(c Content) (tree.File, error) {
	files := slices.DeleteFunc(slices.Clone(c.Files), func(f tree.File) bool {
		return !strings.HasPrefix(f.Name, "usr/share/ca-certificates/mozilla/") || !strings.HasSuffix(f.Name, ".crt")
	})
	if len(files) == 0 {
		return tree.File{}, errors.New("join certificates: the package has none")
	}
	slices.SortFunc(files, func(a, b tree.File) int { return strings.Compare(a.Name, b.Name) })
	var all []byte
	for _, f := range files {
		all = append(all, f.Body...)
		if !strings.HasSuffix(string(f.Body), "\n") {
			all = append(all, '\n')
		}
	}
	return tree.File{Name: "etc/ssl/certs/ca-certificates.crt", Mode: 0o644, Body: all}, nil
}
