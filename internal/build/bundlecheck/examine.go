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

// examiner reads files for their references, one after the other.
type examiner struct {
	*checker
	second bool // second pass: all files are known, so broken references are reported
	folder string
	memo   map[memoKey]outcome // what became of relative addresses in folder: navigation repeats on every page
}

// memoKey has all that decides what becomes of a reference: a form is listed where a link with its address is not.
type memoKey struct {
	value string
	use   use
	what  string
}

// outcome is what a reference counts as. Only those without findings are remembered.
type outcome struct{ links, anchors, assets int }

// maxMemo bounds what is remembered of a folder.
const maxMemo = 20_000

// examine reads one file. The result is the caller's.
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

// file is one that is being read.
type file struct {
	*examiner
	path string
	base string // folder that relative addresses start in
	root string // of the site on its host, for pages that know it
	bare bool   // a picture, which loads nothing while it is shown as one
	loc  locator
	t    *tally
	ids  []uint64
	own  []ownLink

	filled int // bytes of addresses that were made of plans
}

// ownLink leads to a place on the page itself.
type ownLink struct {
	at placer
	id string
}

// page reads a document.
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

// errorf reports an error that does not depend on other files, in the first pass.
func (f *file) errorf(at placer, code, format string, args ...any) {
	if !f.second {
		f.t.errorf(at, code, format, args...)
	}
}

// warnf is errorf for a warning.
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

// styled reads a style element or a style attribute.
func (f *file) styled(at spot, css string) {
	styles(css, func(a stylesheet.Address) {
		f.refer(f.within(at, a), a.Value, cssUse(f.path, a), cssNoun(a))
	})
}

// within is the place of an address in a sheet that begins at at.
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

// cssUse returns how severe a missing file is: of the theme everything is needed, authors may have forgotten a picture.
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

// sheet reads a style sheet.
func (f *file) sheet(data []byte) {
	for _, a := range stylesheet.Addresses(data) {
		at := func() diag.Pos { return diag.Pos{File: f.path, Line: a.Line, Column: a.Column} }
		f.refer(at, a.Value, cssUse(f.path, a), cssNoun(a))
	}
}

// drawing reads a picture that is a document too. Shown as a picture it loads nothing; opened by itself it does.
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

// webManifest reads what a site says to be installed as a program. Members that we do not know load nothing.
func (f *file) webManifest(data []byte) {
	var m struct {
		Icons, Screenshots []struct{ Src string }
		StartURL           string `json:"start_url"`
	}
	if json.Unmarshal(data, &m) != nil {
		return // browsers pass over it too
	}
	for _, one := range append(m.Icons, m.Screenshots...) {
		f.refer(f.here(spot{}), one.Src, shows, "icon")
	}
	f.refer(f.here(spot{}), m.StartURL, goes, "link")
}

// script reads a script as far as it can be read without being run: imports from other hosts, addresses that
// an author's script names, and the files of the search index.
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

// searchEntry reads which files make up the search index.
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
