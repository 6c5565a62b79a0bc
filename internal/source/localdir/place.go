package localdir

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Place is a folder on the server's disk that may be used as a source.
type Place struct {
	Root string // no link below it may point outside; "" = no restriction
	Path string
}

// Open opens the folder. With a Root, the kernel confines every path element to it, so a link that is swapped in later
// cannot escape.
func (p Place) Open() (*os.Root, error) {
	if !filepath.IsAbs(p.Path) {
		return nil, fault.New(fault.Invalid, "invalid_field", "The source path must be absolute.").
			WithField("source.path")
	}
	root, err := p.open()
	if err != nil {
		return nil, fault.New(fault.NotFound, "source_not_found",
			"The source folder does not exist or cannot be read.").
			WithField("source.path").WithHint("Check the path, and that the server's user can read it.").WithCause(err)
	}
	return root, nil
}

func (p Place) open() (*os.Root, error) {
	if p.Root == "" {
		return os.OpenRoot(p.Path)
	}
	rel, err := filepath.Rel(p.Root, p.Path)
	if err != nil {
		return nil, fmt.Errorf("open source folder: %w", err)
	}
	outer, err := os.OpenRoot(p.Root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = outer.Close() }()
	return outer.OpenRoot(rel)
}
