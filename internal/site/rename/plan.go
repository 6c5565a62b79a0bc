package rename

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// Options holds the old and the new path. Both are relative to the docs folder and use slashes. The path of a page may
// omit the extension.
type Options struct {
	Old, New   string
	NoRedirect bool // do not add a redirect from the old path
}

// Plan is the list of changes. All paths are relative to the docs folder.
type Plan struct {
	Moves []Move // sorted by From
	Edits []Edit // sorted by File
	Notes []string
}

// Move is a file that is renamed.
type Move struct{ From, To string }

// Edit is the new content of a file. File is its name after the moves.
type Edit struct {
	File          string
	Before, After []byte
}

// planner builds a Plan.
type planner struct {
	src     fs.FS
	site    *site.Site
	files   []string          // the site file and the files it refers to
	old     string            // the folder that moves; "" if only a file moves
	new     string            // its new name
	moved   map[string]string // file → its new name
	pages   map[string]string // page path → new page path
	folders map[string]bool   // folders that move
	present map[string]bool   // pages of the site
	assets  map[string]bool
	plan    *Plan
}

// New computes a Plan. It returns a fault if the names are invalid: if the old name does not exist, the new name is
// taken, or one of them is outside the folder.
func New(ctx context.Context, src fs.FS, opt Options) (*Plan, error) {
	loaded, _, err := load.Load(ctx, src, load.Options{Workers: 4, Author: true})
	if err != nil {
		return nil, fmt.Errorf("plan move: %w", err)
	}
	p := &planner{
		src: src, site: loaded.Site, files: loaded.Files, moved: map[string]string{}, pages: map[string]string{},
		folders: map[string]bool{},
		present: map[string]bool{}, assets: map[string]bool{}, plan: &Plan{},
	}
	for _, page := range p.site.Pages {
		p.present[page.Path] = true
	}
	for _, path := range slices.Concat(p.site.Failed, loaded.Withheld) { // they are still pages in the folder
		p.present[path] = true
	}
	for _, a := range p.site.Assets {
		p.assets[a.Path] = true
	}
	if err := p.names(opt.Old, opt.New); err != nil {
		return nil, err
	}
	site, err := p.openSite()
	if err != nil {
		return nil, err
	}
	p.generated(site)
	if err := p.sources(ctx); err != nil {
		return nil, err
	}
	if err := p.siteFiles(site, !opt.NoRedirect); err != nil {
		return nil, err
	}
	for from, to := range p.moved {
		p.plan.Moves = append(p.plan.Moves, Move{from, to})
	}
	slices.SortFunc(p.plan.Moves, func(a, b Move) int { return strings.Compare(a.From, b.From) })
	slices.SortFunc(p.plan.Edits, func(a, b Edit) int { return strings.Compare(a.File, b.File) })
	return p.plan, nil
}

func invalid(field, format string, args ...any) *fault.Error {
	return fault.Newf(fault.Invalid, "invalid_field", format, args...).WithField(field)
}

// names determines the files that move and their new names.
func (p *planner) names(old, renamed string) error {
	from, ok := inside(old)
	if !ok {
		return invalid("old", "%q is not a file or folder inside the docs folder.", old)
	}
	to, ok := inside(renamed)
	if !ok {
		return invalid("new", "%q is not a name inside the docs folder.", renamed)
	}
	info, err := fs.Stat(p.src, from)
	if f := p.fileOf(from); f != "" && (err != nil || info.IsDir() && !strings.HasSuffix(old, "/")) {
		from = f // a page without extension; it takes precedence over a folder with the same name
		info, err = fs.Stat(p.src, from)
	}
	if err != nil {
		return fault.Newf(fault.NotFound, "not_found", "Page, file or folder not found: %q.", old).
			WithHint("Write its path relative to the docs folder, such as guides/start.")
	}
	if slices.Contains(p.files, from) || slices.Contains([]string{"docs.json", "mint.json"}, from) {
		return invalid("old", "%s is the site file and cannot be moved.", from)
	}
	slash := strings.HasSuffix(renamed, "/")
	at, missing := fs.Stat(p.src, to)
	if into := missing == nil && at.IsDir() && (slash || !info.IsDir()); into || slash && !info.IsDir() {
		to = path.Join(to, path.Base(from))
	}
	if info.IsDir() {
		return p.folder(from, to)
	}
	return p.file(from, to)
}

// inside normalizes a name. ok is false if it is outside the folder, the folder itself, or hidden.
func inside(name string) (string, bool) {
	clean := path.Clean("/" + strings.ReplaceAll(name, `\`, "/"))[1:]
	up := slices.Contains(strings.Split(path.Clean(name), "/"), "..")
	hidden := slices.ContainsFunc(strings.Split(clean, "/"),
		func(s string) bool { return strings.HasPrefix(s, ".") || s == "node_modules" })
	return clean, clean != "" && !up && !hidden && fs.ValidPath(clean) && !strings.HasPrefix(clean, "_lectern/")
}

// fileOf returns the file of a page, or "" if there is none.
func (p *planner) fileOf(page string) string {
	for _, ext := range []string{".mdx", ".md"} {
		if info, err := fs.Stat(p.src, page+ext); err == nil && info.Mode().IsRegular() {
			return page + ext
		}
	}
	return ""
}

func (p *planner) file(from, to string) error {
	if ext := path.Ext(from); path.Ext(to) == "" || isSource(from) && !isSource(to) {
		to += ext
	}
	if err := p.free(from, to); err != nil {
		return err
	}
	p.enter(from, to)
	return nil
}

func (p *planner) folder(from, to string) error {
	if to == from || strings.HasPrefix(to, from+"/") {
		return invalid("new", "The folder %s cannot be moved into itself.", from)
	}
	if _, err := fs.Stat(p.src, to); err == nil {
		return conflict(to)
	}
	p.old, p.new = from, to
	return fs.WalkDir(p.src, from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("plan move: %w", err)
		}
		if slices.Contains(p.files, name) { // a part of the site file, included by $ref
			return invalid("old", "The folder contains %s, which is part of the site file.", name)
		}
		if d.IsDir() {
			p.folders[name] = true
		} else {
			p.enter(name, to+strings.TrimPrefix(name, from))
		}
		return nil
	})
}

func conflict(name string) error {
	return fault.Newf(fault.Conflict, "exists", "%s already exists.", name).
		WithHint("Nothing was changed. Choose another name.")
}

// free rejects a name that another file or page already has. A rename that changes only letter case is not a conflict.
func (p *planner) free(from, to string) error {
	if from == to {
		return invalid("new", "%s already has that name.", from)
	}
	if _, err := fs.Stat(p.src, to); err == nil && !strings.EqualFold(from, to) {
		return conflict(to)
	}
	if page := slug.Page(to); isSource(to) && slug.Page(from) != page {
		if other := p.fileOf(page); other != "" && !strings.EqualFold(other, from) {
			return conflict(other)
		}
	}
	return nil
}

func (p *planner) enter(from, to string) {
	p.moved[from] = to
	if isSource(from) && isSource(to) && p.present[slug.Page(from)] {
		p.pages[slug.Page(from)] = slug.Page(to)
	}
}

func isSource(name string) bool { return load.PageOf(name) != "" }

// after returns a file's name after the moves.
func (p *planner) after(file string) string {
	if to, ok := p.moved[file]; ok {
		return to
	}
	return file
}

// edit records the new content of a file.
func (p *planner) edit(file string, before, after []byte) {
	if !bytes.Equal(before, after) {
		p.plan.Edits = append(p.plan.Edits, Edit{File: p.after(file), Before: before, After: after})
	}
}
