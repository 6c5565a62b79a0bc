package load

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Sources lists the pages and snippets of a folder in path order: what an author writes, without hidden and ignored
// files. Unlike the pages of a site, the list does not depend on docs.json.
func Sources(ctx context.Context, src fs.FS) ([]string, error) {
	rules := map[string]*ignore{} // of folders
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

// entriesOf lists a folder; the walk reports a folder that cannot be read.
func entriesOf(src fs.FS, dir string) []fs.DirEntry {
	entries, err := fs.ReadDir(src, dir)
	if err != nil {
		return nil
	}
	return entries
}
