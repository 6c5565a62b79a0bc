package layout

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/foundation/i18n"
	"github.com/lectern-docs/lectern/internal/site"
)

// SectionFile is the whole tree of a large section, whose pages list only what is around them. It is a script, which
// works from a disk too: it calls lecternTree with the tree as HTML whose addresses are as seen from the site's root.
type SectionFile struct {
	Path string
	Data []byte
}

// number gives each group of a large section its number there, and lists the sections. They are named by their place:
// a digest of the tree in the name would change all pages of the section with each title.
func (t *tree) number(e *entry) {
	own := func(c *entry) bool { return !c.node.Kind.Division() }
	if e.large() && slices.ContainsFunc(e.children, own) {
		e.file = "_lectern/nav/" + strconv.Itoa(len(t.large)+1) + ".js"
		t.large = append(t.large, e)
		numberGroups(e, 0)
	}
	for _, c := range t.parts[e] {
		t.number(c)
	}
}

// numberGroups numbers the groups below e that belong to the same section, and returns the last number.
func numberGroups(e *entry, last int32) int32 {
	for _, c := range e.children {
		if c.node.Kind.Division() || c.node.Kind == site.KindPage {
			continue
		}
		last++
		c.part = last
		last = numberGroups(c, last)
	}
	return last
}

// large reports whether the pages of a section list only what is around them.
func (e *entry) large() bool {
	return (e.parent == nil || e.node.Kind.Division()) && e.pages > fullMax
}

// Sections returns the trees of the large sections. links are those of the site's root.
func (f *Frame) Sections(links Links) (out []SectionFile) {
	for _, e := range f.tree.large {
		s := &pageWriter{Frame: f, d: &htmlbuf.Buffer{}, links: links}
		for _, up := range e.chain() {
			if up.node.Kind == site.KindLanguage {
				s.code = up.node.Title
			}
		}
		s.words = i18n.Of(s.code)
		b := &bar{pageWriter: s, large: true, all: true}
		b.list(e, "")
		text, err := json.Marshal(string(s.d.Bytes())) // escapes < and >, so no text ends the script
		if err != nil {
			continue // a string always has a form
		}
		out = append(out, SectionFile{Path: e.file, Data: []byte("lecternTree(" + string(text) + ");\n")})
	}
	return out
}
