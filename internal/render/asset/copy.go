package asset

import (
	"fmt"
	"io"
	"io/fs"

	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// Read reads one of the site's own files unchanged. A file that has grown since it was scanned is an error.
func Read(src fs.FS, a site.Asset) (output.File, error) {
	if a.Data != "" {
		return output.File{Path: a.Path, ContentType: output.ContentType(a.Path), Data: []byte(a.Data)}, nil
	}
	f, err := src.Open(a.Path)
	if err != nil {
		return output.File{}, fmt.Errorf("open asset: %w", err)
	}
	defer func() { _ = f.Close() }() // opened for reading only
	data, err := io.ReadAll(io.LimitReader(f, a.Size+1))
	if err != nil {
		return output.File{}, fmt.Errorf("read asset: %w", err)
	}
	if int64(len(data)) > a.Size {
		return output.File{}, fmt.Errorf("read asset: %q changed while it was read", a.Path)
	}
	return output.File{Path: a.Path, ContentType: output.ContentType(a.Path), Data: data}, nil
}
