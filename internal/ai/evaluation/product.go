package evaluation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/source/git"
)

// productCommit is used as the commit of every product repository, since these are plain folders.
const productCommit = "1111111111111111111111111111111111111111"

// product is the product repository that belongs to a docs folder of the same name. It implements agenttools.Products.
type product struct {
	name  string
	files fs.FS
}

// findProduct returns the product repository of a docs folder, if it has one.
func findProduct(name string) (p product, ok bool, err error) {
	if _, err := fs.Stat(stored, "products/"+name); errors.Is(err, fs.ErrNotExist) {
		return p, false, nil
	}
	files, err := fs.Sub(stored, "products/"+name)
	if err != nil {
		return p, false, fmt.Errorf("open product repository: %w", err)
	}
	return product{name, files}, true, nil
}

// Names returns the name of the repository.
func (p product) Names() []string { return []string{p.name} }

// Commit returns the commit that is read.
func (p product) Commit(string) string { return productCommit }

// Search finds lines that contain the given text, ignoring case.
func (p product) Search(_ context.Context, _, text, folder string) (found []git.Match, more bool, err error) {
	err = fs.WalkDir(p.files, cmp.Or(folder, "."), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(p.files, name)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(data), "\n") {
			if strings.Contains(strings.ToLower(line), strings.ToLower(text)) {
				found = append(found, git.Match{Path: name, Line: i + 1, Text: line})
			}
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("search product repository: %w", err)
	}
	return found, false, nil
}

// List lists a folder, with a slash after the names of folders.
func (p product) List(_ context.Context, _, folder string) (names []string, more bool, err error) {
	list, err := fs.ReadDir(p.files, cmp.Or(folder, "."))
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
		return nil, false, fmt.Errorf("list product repository: %w", err)
	}
	for _, e := range list {
		name := path.Join(folder, e.Name())
		if e.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	return names, false, nil
}

// Read returns a file.
func (p product) Read(_ context.Context, _, name string) (data []byte, found bool, err error) {
	info, err := fs.Stat(p.files, name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) || err == nil && info.IsDir() {
		return nil, false, nil
	}
	if err == nil {
		data, err = fs.ReadFile(p.files, name)
	}
	if err != nil {
		return nil, false, fmt.Errorf("read product repository: %w", err)
	}
	return data, true, nil
}
