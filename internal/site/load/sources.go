package load

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/safefile"
)

// Sources lists the pages and snippets of a folder in path order, without hidden and ignored files. Unlike the
// pages of a site, the list does not depend on docs.json.
func Sources(ctx context.Context, src fs.FS) ([]string, error) {
	rules := map[string]*ignore{} // by folder
	var out []string
	err := fs.WalkDir(src, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		above := rules[path.Dir(name)]
		if name == "." {
			rules[name], _ = standing().inside(src, name, entriesOf(src, name))
			return nil
		}
		if base := d.Name(); strings.HasPrefix(base, ".") || base == "node_modules" || above.match(name, d.IsDir()) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			rules[name], _ = above.inside(src, name, entriesOf(src, name))
		}
		if ext := strings.ToLower(path.Ext(name)); d.Type().IsRegular() && (ext == ".mdx" || ext == ".md") {
			out = append(out, name)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list sources: %w", err)
	}
	return out, nil
}

// EachChanged calls visit for each source whose content differs from that in base, including new sources. If base is
// nil, it calls visit for all sources. It skips files that cannot be read or are too large for a page; the build
// reports them.
func EachChanged(ctx context.Context, src, base fs.FS, visit func(name string, data []byte) error) error {
	names, err := Sources(ctx, src)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := safefile.Read(src, name, maxPage)
		if err != nil {
			continue
		}
		if base != nil {
			if before, err := safefile.Read(base, name, maxPage); err == nil && bytes.Equal(before, data) {
				continue
			}
		}
		if err := visit(name, data); err != nil {
			return err
		}
	}
	return nil
}

// entriesOf lists a folder. If that fails, it returns nil, and the walk reports the error.
func entriesOf(src fs.FS, dir string) []fs.DirEntry {
	entries, err := fs.ReadDir(src, dir)
	if err != nil {
		return nil
	}
	return entries
}
