package race

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// realSite is a real docs folder.
type realSite struct {
	name  string
	dir   string
	pages []string // paths of the Markdown files in it, sorted
}

// Sites exports the largest docs folders at or below folder: cold, unchanged, and after an edit of one page. Other
// generators cannot read them, so the ratios refer to writing and packing the same bytes. The folders are copied
// first.
func Sites(ctx context.Context, o Options, folder string, most int) error {
	r := &race{Options: o, table: table{out: o.Out}, folders: map[string]string{}, seen: map[string]figure{}}
	r.Only = "none"
	if err := r.prepare(ctx); err != nil {
		return err
	}
	defer r.lab.close()
	list, err := findSites(folder)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return fmt.Errorf("no folder with docs.json at or below %s", folder)
	}
	for i, s := range list[:min(most, len(list))] {
		if err := r.realSite(ctx, s, i); err != nil {
			return err
		}
	}
	return errors.Join(r.faults...)
}

// findSites returns docs folders, largest first. It does not search inside another docs folder.
func findSites(folder string) (list []realSite, err error) {
	err = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if base := d.Name(); name != folder && (strings.HasPrefix(base, ".") || base == "node_modules") {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(name, "docs.json")); err != nil {
			return nil
		}
		s := realSite{name: filepath.Base(name), dir: name}
		if rel, err := filepath.Rel(folder, name); err == nil && rel != "." {
			s.name = filepath.ToSlash(rel)
		}
		if err := fs.WalkDir(os.DirFS(name), ".", func(file string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && path.Ext(file) == ".mdx" {
				s.pages = append(s.pages, file)
			}
			return err
		}); err != nil {
			return err
		}
		list = append(list, s)
		return fs.SkipDir
	})
	slices.SortStableFunc(list, func(a, b realSite) int { return len(b.pages) - len(a.pages) })
	return list, err
}

// realSite measures one site. If the export fails, this is reported and the others continue.
func (r *race) realSite(ctx context.Context, s realSite, number int) error {
	o := r.ours
	o.dir, o.cache = r.lab.path(fmt.Sprintf("site-%d", number)), r.lab.path(fmt.Sprintf("site-%d-cache", number))
	defer o.remove()
	if err := os.CopyFS(o.dir, os.DirFS(s.dir)); err != nil {
		return err
	}
	if len(s.pages) > 0 {
		o.edited = s.pages[len(s.pages)/2]
	}
	r.table.head(fmt.Sprintf("%s, %s MDX files", s.name, thousands(len(s.pages))), "ours, cold")
	show := func(f figure) {
		if r.table.base.wall == 0 {
			r.table.base = f
		}
		r.table.row(f)
	}
	_, _, err := o.rows(ctx, "ours to a folder", "dir", o.steps()[:2], show)
	if err == nil {
		err = o.baselines(ctx, show)
	}
	if err != nil && ctx.Err() == nil {
		fmt.Fprintf(r.Out, "failed: %v\n", err)
		r.faults = append(r.faults, fmt.Errorf("%s: %w", s.name, err))
		return nil
	}
	return err
}
