package rules

import (
	slashes "path"
	"slices"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// pageFile is a page of the docs folder, as listed by the tools.
type pageFile struct {
	path  string // without the extension
	file  string
	title string
}

// folderView is the content of the docs folder as reported by tools. Its text is untrusted: it is only compared
// with the words of a request.
type folderView struct {
	pages   []pageFile
	folders map[string]bool
}

var (
	listedFile  = lazyregexp.New(`^(\S+) \d+$`)
	listedTitle = lazyregexp.New(`^(\S+):(?:1?[0-9]): title: *(.+)$`)
)

// newFolderView parses the results of the list and search tools. It returns nil if there are none.
func newFolderView(made []step) *folderView {
	var v *folderView
	for _, s := range made {
		if !s.known || s.result.Failed || s.Name != listTool && s.Name != searchTool {
			continue
		}
		if v == nil {
			v = &folderView{folders: map[string]bool{}}
		}
		for line := range strings.Lines(s.result.Text) {
			line = strings.TrimRight(line, "\n")
			if m := listedFile.FindStringSubmatch(line); m != nil && s.Name == listTool {
				v.add(m[1])
			}
			if m := listedTitle.FindStringSubmatch(line); m != nil && s.Name == searchTool {
				v.entitle(m[1], unquote(m[2]))
			}
		}
	}
	return v
}

func (v *folderView) add(file string) {
	for dir := slashes.Dir(file); dir != "."; dir = slashes.Dir(dir) {
		v.folders[dir] = true
	}
	for _, ext := range []string{".mdx", ".md"} {
		if name, ok := strings.CutSuffix(file, ext); ok && file != strings.ToUpper(name)+ext {
			v.pages = append(v.pages, pageFile{path: name, file: file})
		}
	}
}

func (v *folderView) entitle(file, title string) {
	for i := range v.pages {
		if v.pages[i].file == file && v.pages[i].title == "" {
			v.pages[i].title = title
		}
	}
}

// byPath returns the pages that a path may refer to: the page with that path, or those whose path ends with it.
func (v *folderView) byPath(written string) (out []pageFile) {
	name := cleanPath(written)
	for _, p := range v.pages {
		if strings.EqualFold(p.path, name) || p.path == name+"/index" || name == "" && p.path == "index" {
			return []pageFile{p}
		}
	}
	if strings.HasPrefix(written, "/") { // an absolute address without a page
		return nil
	}
	for _, p := range v.pages {
		if strings.HasSuffix("/"+p.path, "/"+name) {
			out = append(out, p)
		}
	}
	return out
}

// byName returns the pages whose title or last path element consists of exactly these words.
func (v *folderView) byName(words []string) (out []pageFile) {
	for _, p := range v.pages {
		if p.path == "index" { // this page has the site's title
			continue
		}
		if slices.Equal(words, wordsOf(p.title)) || slices.Equal(words, wordsOf(slashes.Base(p.path))) || slices.Equal(words, wordsOf(p.path)) {
			out = append(out, p)
		}
	}
	return out
}

// byWords returns the pages whose title or path contains all of the words. Pages whose name matches exactly take
// precedence. If several pages remain, those in a folder named after kind, such as "guide", take precedence.
func (v *folderView) byWords(words []string, kind string) (out []pageFile) {
	var exact []pageFile
	for _, p := range v.pages {
		base, title := wordsOf(slashes.Base(p.path)), wordsOf(p.title)
		if slashes.Base(p.path) == "index" {
			base = wordsOf(slashes.Base(slashes.Dir(p.path)))
		}
		own := slices.Concat(base, title)
		if !coveredBy(words, slices.Concat(own, wordsOf(slashes.Dir(p.path)))) ||
			!slices.ContainsFunc(words, func(w string) bool { return coveredBy([]string{w}, own) }) {
			continue
		}
		out = append(out, p)
		if sameWords(words, base) || sameWords(words, title) {
			exact = append(exact, p)
		}
	}
	if len(exact) > 0 {
		out = exact
	}
	if len(out) > 1 && kind != "" { // "the tutorial" is the one in the tutorials folder
		own := slices.DeleteFunc(slices.Clone(out), func(p pageFile) bool { return !coveredBy([]string{kind}, wordsOf(slashes.Dir(p.path))) })
		if len(own) > 0 {
			return own
		}
	}
	return out
}

// cleanPath removes the anchor, surrounding slashes and the extension of a path.
func cleanPath(written string) string {
	name, _, _ := strings.Cut(written, "#")
	name = strings.Trim(name, "/")
	return strings.TrimSuffix(strings.TrimSuffix(name, ".mdx"), ".md")
}

// wordsOf returns the significant words of a name.
func wordsOf(s string) (out []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		if w != "the" && w != "a" && w != "your" && w != "our" {
			out = append(out, w)
		}
	}
	return out
}

func coveredBy(words, all []string) bool {
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool {
		return !slices.ContainsFunc(all, func(o string) bool { return alike(w, o) })
	})
}

func sameWords(a, b []string) bool { return len(a) > 0 && slices.EqualFunc(a, b, alike) }

// alike reports whether two words are forms of the same word: install and installation, schedule and schedules.
func alike(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if a == b || a+"s" == b || a+"es" == b {
		return true
	}
	n := 0
	for n < len(a) && a[n] == b[n] {
		n++
	}
	return n >= 4 && n >= len(a)-1 && len(b)-n <= 6
}
