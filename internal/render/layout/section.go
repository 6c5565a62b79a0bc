package layout

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/foundation/i18n"
	"github.com/lectern-docs/lectern/internal/site"
)

// SectionFile contains the whole tree of a large section. The pages of such a section list only the entries near them.
// The file is a script, so that it also works from disk: it calls lecternTree with the tree as HTML. URLs in the tree
// are relative to the site's root.
type SectionFile struct {
	Path string
	Data []byte
}

// number assigns numbers to the groups of large sections and lists the sections. The file of a section is named after
// the section's index. If the name contained a digest of the tree, every changed title would change all pages of the
// section.
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

// large reports whether the pages of a section list only the entries near them.
func (e *entry) large() bool {
	return (e.parent == nil || e.node.Kind.Division()) && e.pages > fullMax
}

// Sections returns the trees of the large sections. links must write URLs relative to the site's root.
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
		text, err := json.Marshal(string(s.d.Bytes())) // escapes < and >, so that text cannot end the script
		if err != nil {
			continue // strings can always be encoded
		}
		out = append(out, SectionFile{Path: e.file, Data: []byte("lecternTree(" + string(text) + ");\n")})
	}
	return out
}
