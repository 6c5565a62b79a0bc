package snapshot

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"

	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

// Source is the content of a project's docs folder: fetched, or restored from a stored copy.
type Source struct {
	sourcetree.Snapshot // zero for a stored copy
	FS                  fs.FS
	tree                *tree // nil for a copy stored by an early release, whose files are in a folder
	damaged             bool  // see Damaged
	closers             []io.Closer
}

// Empty returns a source without files.
func Empty() *Source { return &Source{FS: emptyTree()} }

// Sum returns the SHA-256 of a file if it is known without reading the file.
func (s *Source) Sum(file string) (sum [sha256.Size]byte, ok bool) {
	if s.tree == nil {
		return sum, false
	}
	f, ok := s.tree.files[file]
	if !ok {
		return sum, false
	}
	return f.sum, f.sum != [sha256.Size]byte{}
}

// Damaged reports whether a stored copy has changed since it was stored. Files that are intact can still be read.
func (s *Source) Damaged() bool { return s.damaged }

// compressed returns a file in the form in which archives contain it. The content is in scratch, which may have grown.
func (s *Source) compressed(p string, scratch []byte) (output.File, content, []byte, error) {
	out := output.File{Path: p, ContentType: output.ContentType(p)}
	if s.tree != nil {
		if f := s.tree.files[p]; f.sum != [sha256.Size]byte{} {
			ok, err := f.copyTo(&out, &scratch)
			if err != nil || ok {
				return out, f.content, scratch, err
			}
		}
	}
	data, err := fs.ReadFile(s.FS, p)
	if err != nil {
		return out, content{}, scratch, err
	}
	out.Data = data
	return out, content{sum: sha256.Sum256(data)}, scratch, nil
}

// Close closes the archives. They may be part of other sources, see Fetch.
func (s *Source) Close() error {
	var errs []error
	for _, c := range s.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
