package load

import (
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// withholdFiles removes files that readers of the view may not see, and returns their paths. These are files that
// withheld pages and their navigation entries refer to, by path or only by name, and files in folders where all pages
// are withheld. It keeps files if a page or setting of the view refers to them by path. Readers who have not signed in
// get only files that the view refers to.
func withholdFiles(src fs.FS, s, whole *site.Site, sel selected) (out []string) {
	if len(sel.withheld) == 0 && !sel.view.Anonymous || len(s.Assets) == 0 {
		return nil
	}
	suspects := suspectFiles(src, s, whole, sel)
	if len(suspects) == 0 {
		return nil
	}
	clearNamed(src, s, whole, sel, suspects)
	s.Assets = slices.DeleteFunc(slices.Clone(s.Assets), func(a site.Asset) bool {
		if suspects[a.Path] {
			out = append(out, a.Path)
		}
		return suspects[a.Path]
	})
	return out
}

// suspectFiles returns the files that may belong to withheld pages only. The result may include files that belong to
// other pages too.
func suspectFiles(src fs.FS, s, whole *site.Site, sel selected) map[string]bool {
	suspects := map[string]bool{}
	if sel.view.Anonymous {
		for _, a := range s.Assets {
			if a.Path != "robots.txt" {
				suspects[a.Path] = true
			}
		}
		return suspects
	}
	named := map[string][]string{} // name of a file, with and without extension → its paths
	open := map[string]bool{}      // folders with a page of the view in or below them
	closed := map[string]bool{}    // folders with a withheld page in or below them
	for _, a := range s.Assets {
		base := strings.ToLower(path.Base(a.Path))
		named[base] = append(named[base], a.Path)
		if stem := strings.TrimSuffix(base, path.Ext(base)); len(stem) > 2 {
			named[stem] = append(named[stem], a.Path)
		}
	}
	m := newMentions(src, whole, sel)
	for _, a := range s.Assets {
		if odd(path.Base(a.Path)) {
			m.indexOdd(a.Path)
		}
	}
	m.found = func(text, _, file string) {
		if strings.Contains(text, path.Base(file)) {
			suspects[file] = true
		}
	}
	m.name = func(name string, alone bool) {
		base := strings.ToLower(path.Base(name))
		if path.Ext(base) == "" && !alone { // code builds a path only from a whole quoted string
			return
		}
		for _, p := range named[base] {
			suspects[p] = true
		}
	}
	for _, text := range sel.entries {
		m.text([]byte(text), ".")
	}
	for _, p := range whole.Pages {
		folders := open
		if sel.withheld[p.Path] {
			folders = closed
			folders[p.Path] = true // files in a folder named like the page belong to it
			m.page(p)
		}
		for dir := path.Dir(p.Path); dir != "." && !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for _, a := range s.Assets {
		for dir := path.Dir(a.Path); dir != "."; dir = path.Dir(dir) {
			if closed[dir] && !open[dir] {
				suspects[a.Path] = true
			}
		}
	}
	return suspects
}

// clearNamed removes files from suspects if pages or settings of the view refer to them.
func clearNamed(src fs.FS, s, whole *site.Site, sel selected, suspects map[string]bool) {
	m := newMentions(src, whole, sel)
	m.name = func(name string, _ bool) { delete(suspects, name) }
	for file := range suspects {
		if odd(file) {
			m.indexOdd(file)
		}
	}
	m.found = func(text, dir, file string) {
		if suspects[file] && refersTo(text, dir, file) {
			delete(suspects, file)
		}
	}
	for _, text := range settingTexts(s) {
		m.text([]byte(text), ".")
	}
	for _, name := range slices.Concat(s.Styles, s.Scripts) {
		m.file(name)
	}
	for _, p := range s.Pages {
		if len(suspects) == 0 {
			return
		}
		if p.API != nil && sel.specs[p.API.Spec] { // other parts of the description may be withheld
			m.read[p.API.Spec] = true
		}
		m.page(p)
	}
}

func newMentions(src fs.FS, whole *site.Site, sel selected) *mentions {
	m := &mentions{src: src, whole: make(map[string]bool, len(whole.Pages)), read: map[string]bool{}}
	for _, p := range whole.Pages {
		m.whole[p.File] = true
	}
	for _, name := range []string{"docs.json", "mint.json"} {
		m.whole[name] = true
	}
	for name := range sel.specs {
		m.whole[name] = true
	}
	return m
}

// page searches the sources of a page: its file and its API description.
func (m *mentions) page(p *site.Page) {
	if p.File != "" {
		m.file(p.File)
	}
	if p.API != nil && p.API.Spec != "" && !openapi.Remote(p.API.Spec) {
		m.file(p.API.Spec)
	}
	m.text([]byte(p.Icon), ".")
}

// settingTexts returns every string in the site's settings and navigation.
func settingTexts(s *site.Site) []string {
	return append(stringsIn(reflect.ValueOf(s.Settings)), entryTexts(s.Nav)...)
}

// entryTexts returns the strings of navigation entries that may refer to a file.
func entryTexts(nodes []*site.Node) (out []string) {
	site.Walk(nodes, func(n *site.Node) bool {
		out = append(append(out, n.Icon, n.Href), stringsIn(reflect.ValueOf(n.Details()))...)
		return true
	})
	return out
}

// stringsIn returns all strings in a value.
func stringsIn(v reflect.Value) (out []string) {
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			out = append(out, v.String())
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Map:
			for _, k := range v.MapKeys() {
				walk(v.MapIndex(k))
			}
		}
	}
	walk(v)
	return out
}
