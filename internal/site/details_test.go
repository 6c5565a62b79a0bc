package site

import (
	"testing"
	"unsafe"
)

func TestSetDetailsDoesNotChangeACopy(t *testing.T) {
	p := &Page{Path: "a"}
	if d := p.Details(); d.External != "" || d.Keywords != nil {
		t.Errorf("a page without details has %+v", d)
	}
	p.SetDetails(PageDetails{Tag: "old"})
	q := *p
	d := q.Details()
	d.Tag, d.Groups = "new", []string{"x"}
	if p.Details().Tag != "old" || q.Details().Tag != "old" {
		t.Error("details changed before they were set")
	}
	q.SetDetails(d)
	if p.Details().Tag != "old" || p.Details().Groups != nil || q.Details().Tag != "new" {
		t.Errorf("%+v and its copy %+v", p.Details(), q.Details())
	}
	q.SetDetails(PageDetails{})
	if q.details != nil {
		t.Error("a page without details allocates them")
	}
	n := &Node{Page: "a"}
	if n.Details().Chrome != nil {
		t.Error("a node without details has some")
	}
	n.SetDetails(NodeDetails{Boost: 2})
	m := *n
	m.SetDetails(NodeDetails{})
	if n.Details().Boost != 2 || m.details != nil {
		t.Errorf("%+v and its copy %+v", n.Details(), m.Details())
	}
}

// All pages of a site and their entries in navigation are in memory at once. Rare properties belong in their details.
func TestPagesAndNodesAreSmall(t *testing.T) {
	if size := unsafe.Sizeof(Page{}); size > 144 {
		t.Errorf("a page takes %d bytes", size)
	}
	if size := unsafe.Sizeof(Node{}); size > 144 {
		t.Errorf("a node takes %d bytes", size)
	}
}

func TestKindsHaveNames(t *testing.T) {
	seen := map[string]Kind{}
	for k := Kind(0); k <= KindMenu+1; k++ {
		if other, twice := seen[k.String()]; twice {
			t.Errorf("%d and %d are both %q", k, other, k)
		}
		seen[k.String()] = k
	}
	if KindPage.String() != "page" || KindMenu.String() != "menu" || KindGroup.Division() || !KindTab.Division() {
		t.Error("names or divisions are mixed up")
	}
}
