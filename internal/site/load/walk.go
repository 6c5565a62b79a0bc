package load

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/docsjson"
	"github.com/lectern-docs/lectern/internal/site/output"
)

const (
	maxFiles = 500_000  // files and folders of one site
	maxAsset = 20 << 20 // bytes of one asset
)

// found is the result of a walk over the folder. Each list is in path order.
type found struct {
	pages  []string
	assets []site.Asset
	specs  []string // files that may be API descriptions

	styles, scripts []string // the author's files
}

// walker walks the folder once.
type walker struct {
	src     fs.FS
	cfg     *docsjson.Config
	named   map[string]bool // page paths that the navigation names; never ignored
	above   map[string]bool // the folders that contain those pages
	asked   map[string]bool // style sheets and scripts that the site file names
	outputs map[string]bool // output paths in lower case
	folders map[string]bool // folders that the outputs need, in lower case
	ahead   *ahead
	count   int
	texts   texts
	found   found
	list    diag.List
}

func walk(ctx context.Context, src fs.FS, cfg *docsjson.Config) (found, diag.List, error) {
	w := &walker{
		src: src, cfg: cfg, ahead: newAhead(src), named: map[string]bool{}, above: map[string]bool{},
		asked:   map[string]bool{},
		outputs: map[string]bool{}, folders: map[string]bool{},
	}
	defer w.ahead.close()
	for _, f := range slices.Concat(cfg.Styles, cfg.Scripts) {
		w.asked[f.Path] = true
	}
	site.Walk(cfg.Nav, func(n *site.Node) bool {
		if n.Page != "" {
			w.named[n.Page] = true
			for dir := path.Dir(n.Page); dir != "." && dir != "/" && !w.above[dir]; dir = path.Dir(dir) {
				w.above[dir] = true
			}
		}
		return true
	})
	w.dir(ctx, ".", 0, standing())
	if err := ctx.Err(); err != nil {
		return found{}, nil, err
	}
	slices.Sort(w.found.pages)
	slices.Sort(w.found.styles)
	slices.Sort(w.found.scripts)
	slices.SortFunc(w.found.assets, func(a, b site.Asset) int { return strings.Compare(a.Path, b.Path) })
	w.unique()
	return w.found, w.list, nil
}

func (w *walker) dir(ctx context.Context, dir string, depth int, above *ignore) {
	entries, err := w.ahead.list(dir)
	if err != nil || depth > 64 {
		w.list.Warnf(diag.Pos{File: dir}, "folder-unreadable", "The folder cannot be read.")
		return
	}
	ignored, ok := above.inside(w.src, dir, entries)
	if !ok {
		w.list.Errorf(diag.Pos{File: dir}, "ignore-unreadable",
			"Not all ignore rules can be read, so the whole folder is skipped.")
		w.list.Hint(fmt.Sprintf(
			"An ignore file must be a regular file of at most %d MB, and at most %d rules can apply to a folder.",
			maxIgnoreFile>>20, maxIgnoreRules))
	}
	next := 0 // index of the first folder that has not been listed ahead
	for i, e := range entries {
		if ctx.Err() != nil {
			return
		}
		for next = max(next, i+1); next < len(entries) && !w.ahead.full(); next++ {
			if f := entries[next]; f.IsDir() && w.enters(path.Join(dir, f.Name()), f, ignored) != nil {
				w.ahead.start(path.Join(dir, f.Name()))
			}
		}
		if w.count++; w.count > maxFiles {
			if w.count == maxFiles+1 {
				w.list.Errorf(diag.Pos{File: dir}, "too-many-files",
					"The docs folder contains more than %d files; the rest is skipped.", maxFiles)
			}
			return
		}
		w.entry(ctx, path.Join(dir, e.Name()), e, depth, ignored)
	}
}

func (w *walker) entry(ctx context.Context, name string, e fs.DirEntry, depth int, ignored *ignore) {
	base := e.Name()
	switch {
	case strings.HasPrefix(base, "."), base == "node_modules":
		return
	case e.Type()&fs.ModeSymlink != 0:
		w.list.Warnf(diag.Pos{File: name}, "symlink", "Symbolic links are not followed.")
		w.list.Hint("Put the file itself into the docs folder.")
	case e.IsDir():
		if rules := w.enters(name, e, ignored); rules != nil {
			w.dir(ctx, name, depth+1, rules)
		}
	case !e.Type().IsRegular():
		w.list.Warnf(diag.Pos{File: name}, "not-a-file", "This is not a regular file and is skipped.")
	case !output.ValidPath(name):
		w.list.Warnf(diag.Pos{File: strings.ToValidUTF8(name, "�")}, "bad-name",
			"The file's name cannot be used in a published site: %s.", nameFault(name))
		w.list.Hint("Rename the file. All other characters are allowed, even a colon or a question mark.")
	default:
		w.file(name, e, ignored.match(name, false))
	}
}

// nameFault describes why output.ValidPath rejects a path.
func nameFault(name string) string {
	switch {
	case !utf8.ValidString(name) || strings.ContainsRune(name, unicode.ReplacementChar):
		return "it is not UTF-8"
	case strings.ContainsRune(name, '\\'):
		return "some systems treat the backslash as a folder separator"
	case strings.ContainsFunc(name, unicode.IsControl):
		return "it contains a control character"
	case len(name) > 1 && name[1] == ':':
		return "some systems treat the first letter and colon as a drive"
	}
	return "its path is too long"
}

// enters returns the rules of a folder. It returns nil for an excluded folder, and for anything that is not a
// folder.
func (w *walker) enters(name string, e fs.DirEntry, ignored *ignore) *ignore {
	switch base := e.Name(); {
	case !e.IsDir(), strings.HasPrefix(base, "."), base == "node_modules", name == "_lectern":
		return nil
	case !ignored.match(name, true):
		return ignored
	case w.above[name]:
		return &ignore{all: true}
	}
	return nil
}

// inSnippets reports whether a file is in a folder of snippets. Such files are parts of pages, and are pages only if
// the navigation names them. Images in these folders are published.
func inSnippets(name string) bool {
	name = "/" + name
	return strings.Contains(name, "/snippets/") || strings.Contains(name, "/_snippets/")
}

func (w *walker) file(name string, e fs.DirEntry, ignored bool) {
	ext, part := strings.ToLower(path.Ext(name)), inSnippets(name)
	if !part && (ext == ".json" || ext == ".yaml" || ext == ".yml") && name != w.cfg.File && !ignored {
		w.found.specs = append(w.found.specs, name)
	}
	switch {
	case ext == ".mdx" || ext == ".md":
		if w.named[slug.Page(name)] || !part && !ignored {
			w.found.pages = append(w.found.pages, w.texts.keep(name))
		}
	case ignored:
	case ext == ".css" || ext == ".js":
		w.own(name, ext, part)
	case !w.isAsset(name, ext):
	default:
		info, err := e.Info()
		if err != nil {
			w.list.Warnf(diag.Pos{File: name}, "file-unreadable", "The file cannot be read.")
			return
		}
		if info.Size() > maxAsset {
			w.list.Warnf(diag.Pos{File: name}, "asset-size", "The file is larger than %d MB and is skipped.",
				maxAsset>>20)
			return
		}
		w.found.assets = append(w.found.assets, site.Asset{Path: name, Size: info.Size()})
	}
}

// own adds a style sheet or a script for the whole site. Files in folders of snippets are parts of pages, unless the
// site file names them.
func (w *walker) own(name, ext string, part bool) {
	switch {
	case part && !w.asked[name]:
	case ext == ".css":
		w.found.styles = append(w.found.styles, name)
	default:
		w.found.scripts = append(w.found.scripts, name)
	}
}

// isAsset reports whether a file is copied: media, fonts, downloads. Authors' scripts, styles and HTML are not copied,
// because on the site's own origin they would have the same privileges as the site's pages.
func (w *walker) isAsset(name, ext string) bool {
	switch name {
	case "robots.txt", "llms.txt", "sitemap.xml":
		return true
	case w.cfg.File, "docs.json", "mint.json", "package.json", "package-lock.json", "tsconfig.json",
		"translation-glossary.json", output.ManifestPath:
		return false
	}
	switch ext {
	case ".html", ".js", ".css", ".xml", ".map", ".wasm":
		return false
	case ".json", ".yaml", ".yml", ".txt", ".csv":
		if inSnippets(name) { // data that code imports
			return false
		}
	}
	return output.ContentType(name) != "application/octet-stream" && !slices.Contains(w.cfg.Parts, name)
}

// unique drops files whose output would overwrite the output of another file. File systems may ignore letter case.
func (w *walker) unique() {
	won := map[string]bool{}
	shown := map[string]bool{}                  // pages that have a file
	for _, named := range []bool{true, false} { // pages in the navigation take precedence
		for _, ext := range []string{".mdx", ".md"} { // MDX takes precedence over Markdown
			for _, file := range w.found.pages {
				page := slug.Page(file)
				if w.named[page] == named && strings.EqualFold(path.Ext(file), ext) && w.claim(page+".html") &&
					w.claim(page+".md") {
					won[file], shown[page] = true, true
				}
			}
		}
	}
	w.found.pages = slices.DeleteFunc(w.found.pages, func(file string) bool {
		if won[file] {
			return false
		}
		report := w.list.Warnf
		if page := slug.Page(file); w.named[page] && !shown[page] {
			report = w.list.Errorf
		}
		report(diag.Pos{File: file}, "duplicate-page", "Another file or folder already has the address of the page %q.",
			slug.Page(file))
		return true
	})
	w.found.assets = slices.DeleteFunc(w.found.assets, func(a site.Asset) bool {
		if w.claim(a.Path) {
			return false
		}
		w.list.Warnf(diag.Pos{File: a.Path}, "duplicate-file",
			"Another file or folder already has this file's address.")
		return true
	})
}

// claim reserves an output path. It returns false if a file or a folder already uses the path, or if one of the folders
// in the path is a file.
func (w *walker) claim(output string) bool {
	key := strings.ToLower(output)
	if w.outputs[key] || w.folders[key] {
		return false
	}
	for dir := path.Dir(key); dir != "."; dir = path.Dir(dir) {
		if w.outputs[dir] {
			return false
		}
	}
	for dir := path.Dir(key); dir != "." && !w.folders[dir]; dir = path.Dir(dir) {
		w.folders[dir] = true
	}
	w.outputs[key] = true
	return true
}
