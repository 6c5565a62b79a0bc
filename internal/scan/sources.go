package scan

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Sources lists the pages and snippets of a folder in path order: what an author writes, without what is hidden or ignored. Unlike the
// pages of a site it does not depend on docs.json.
func Sources(ctx context.Context, src fs.FS) ([]string, error) {
	ignored := loadIgnore(src)
	var out []string
	err := fs.WalkDir(src, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || name == "." {
			return err
		}
		if base := d.Name(); strings.HasPrefix(base, ".") || base == "node_modules" || ignored.match(name, d.IsDir()) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
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
