package bundlecheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/render/stylesheet"
)

// examiner searches files for references, one after another.
type examiner struct {
	*checker
	second bool // second pass: all files are known, so broken references are reported
	folder string
	memo   map[memoKey]outcome // results for relative addresses in folder, because navigation repeats on every page
}

// memoKey contains everything that the result for a reference depends on. For example, an address is listed if it is
// the target of a form, but not if it is the target of a link.
type memoKey struct {
	value string
	use   use
	what  string
}

// outcome is what one reference adds to the counts of the report. Only outcomes without findings are cached.
type outcome struct{ links, anchors, assets int }

// maxMemo limits the cache for a folder.
const maxMemo = 20_000

// examine examines one file. The caller owns the result.
func (e *examiner) examine(name string, data []byte) *tally {
	f := &file{examiner: e, path: name, base: folderOf(name), loc: locator{src: data}, t: &tally{}}
	if e.memo == nil || e.folder != f.base {
		e.folder, e.memo = f.base, map[memoKey]outcome{}
	}
	switch ext := strings.ToLower(path.Ext(name)); {
	case name == capability.OriginsFile:
		f.origins(data)
	case isPage(name):
		f.page(data)
	case ext == ".css":
		f.sheet(data)
	case ext == ".svg":
		f.drawing(data)
	case ext == ".webmanifest":
		f.webManifest(data)
	default:
		f.script(data)
	}
	return f.t
}

func folderOf(name string) string { return strings.TrimPrefix(path.Dir(name), ".") }

// file is a file that is being examined.
type file struct {
	*examiner
	path string
	base string // folder from which relative addresses are resolved
	root string // path of the site on its host, for pages that know it
	bare bool   // an image, which loads nothing while it is shown as an image
	loc  locator
	t    *tally
	ids  []uint64
	own  []ownLink

	filled int // bytes of addresses from plans so far
}

// ownLink is a link to an anchor on the page itself.
type ownLink struct {
	at placer
	id string
}

// page examines a document.
func (f *file) page(data []byte) {
	if bytes.HasPrefix(data, []byte{0xfe, 0xff}) || bytes.HasPrefix(data, []byte{0xff, 0xfe}) {
		f.errorf(f.here(spot{}), "page-encoding", "The page is not UTF-8 text.")
		return
	}
	r := &reader{
		finder: f.path == notFoundPage,
		ref:    func(at spot, value string, u use, what string) { f.refer(f.here(at), value, u, what) },
		style:  f.styled,
		plan:   f.plan,
		anchor: func(name string) { f.ids = append(f.ids, f.targets.hash(name)) },
		code: func(at spot, what string) {
			f.errorf(f.here(at), "inline-script",
				"The page contains %s. Pages of a bundle may only run scripts from files.", what)
		},
	}
	r.read(data)
	if f.second {
		return
	}
	ids := f.targets.page(f.path, f.ids)
	for _, l := range f.own {
		if _, ok := slices.BinarySearch(ids, f.targets.hash(l.id)); !ok {
			f.warnf(l.at, "broken-anchor", "The page has no element with the id %q.", shown(l.id))
		}
	}
}

// errorf reports an error that does not depend on other files. It does nothing in the second pass.
func (f *file) errorf(at placer, code, format string, args ...any) {
	if !f.second {
		f.t.errorf(at, code, format, args...)
	}
}

// warnf is like errorf for a warning.
func (f *file) warnf(at placer, code, format string, args ...any) {
	if !f.second {
		f.t.warnf(at, code, format, args...)
	}
}

// here returns the line and column of a spot.
func (f *file) here(at spot) placer {
	return func() diag.Pos {
		line, column := f.loc.at(at.in(f.loc.src))
		return diag.Pos{File: f.path, Line: line, Column: column}
	}
}

// styled examines a style element or a style attribute.
func (f *file) styled(at spot, css string) {
	styles(css, func(a stylesheet.Address) {
		f.refer(f.within(at, a), a.Value, cssUse(f.path, a), cssNoun(a))
	})
}

// within returns the position of an address in a style sheet that begins at at.
func (f *file) within(at spot, a stylesheet.Address) placer {
	return func() diag.Pos {
		pos := f.here(at)()
		if a.Line > 1 {
			pos.Line, pos.Column = pos.Line+a.Line-1, a.Column
		} else {
			pos.Column += a.Column - 1
		}
		return pos
	}
}

// cssUse returns how severe a missing file is. All files that the theme refers to are required; authors may have
// forgotten an image.
func cssUse(path string, a stylesheet.Address) use {
	if a.Import || strings.HasPrefix(path, "_lectern/") {
		return loads
	}
	return shows
}

func cssNoun(a stylesheet.Address) string {
	if a.Import {
		return "style sheet"
	}
	return "file"
}

// sheet examines a style sheet.
func (f *file) sheet(data []byte) {
	for _, a := range stylesheet.Addresses(data) {
		at := func() diag.Pos { return diag.Pos{File: f.path, Line: a.Line, Column: a.Column} }
		f.refer(at, a.Value, cssUse(f.path, a), cssNoun(a))
	}
}

// drawing examines an image that is also a document. A browser that shows it as an image loads nothing for it; a
// browser that opens it directly does.
func (f *file) drawing(data []byte) {
	f.bare = true
	r := &reader{
		ref:    func(at spot, value string, u use, what string) { f.refer(f.here(at), value, u, what) },
		style:  f.styled,
		anchor: func(string) {},
		code:   func(spot, string) {},
	}
	r.read(data)
}

// webManifest examines the manifest of an installable web app. Unknown members load nothing.
func (f *file) webManifest(data []byte) {
	var m struct {
		Icons, Screenshots []struct{ Src string }
		StartURL           string `json:"start_url"`
	}
	if json.Unmarshal(data, &m) != nil {
		return // browsers ignore it too
	}
	for _, one := range append(m.Icons, m.Screenshots...) {
		f.refer(f.here(spot{}), one.Src, shows, "icon")
	}
	f.refer(f.here(spot{}), m.StartURL, goes, "link")
}

// script examines a script as far as that is possible without running it: imports from other hosts, addresses in an
// author's script, and the files of the search index.
func (f *file) script(data []byte) {
	own := authored(f.path)
	if !own && bytes.HasPrefix(data, []byte(`lecternIndex("`)) {
		if path.Base(f.path) == searchindex.EntryName {
			f.searchEntry(data)
		}
		return
	}
	imported := map[int]bool{}
	imports(data, func(offset int, value string) {
		a := parseAddress(value)
		if a.form != elsewhere && a.form != hostless {
			return
		}
		imported[offset] = true
		at := f.here(spot{offset: offset})
		f.contact(at, value, a.host, "script", OnLoad)
		if !f.allowed(a.host) {
			f.warnf(at, "foreign-import", "The script imports %q from another host.", shown(value))
		}
	})
	if own && !f.second {
		f.names(data, imported)
	}
}

// searchEntry reads the list of files of the search index.
func (f *file) searchEntry(data []byte) {
	names, err := searchindex.Shards(data)
	if errors.Is(err, searchindex.ErrFormat) {
		f.warnf(whole(f.path), "search-unknown",
			"The search index has a format that this version does not know, so its files were not checked.")
		return
	}
	if err != nil {
		f.errorf(f.here(spot{}), "search-damaged", "The search index cannot be used: %v.", err)
		return
	}
	for _, name := range names {
		f.refer(f.here(spot{}), name, loads, "part of the search index")
	}
}
