package component

import (
	"bytes"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
)

// group is a parent that hands something down to its children while they are rendered: Tabs collects titles, Steps
// counts. Children find it whatever stands in between: fragments, included files, components of the author's own.
type group struct {
	name   string   // "Tabs", "Steps"
	count  int      // children rendered so far
	size   string   // Steps: titleSize for all of them
	titles []string // Tabs: items={[…]}, titles for tabs that have none of their own
	start  int      // Tabs: the tab that is open at first, from 0
	tabs   []tab
}

// tab is a child of Tabs that has been rendered.
type tab struct {
	id    string
	label []byte // icon and title, HTML
	open  bool
}

// inside makes g the innermost group while f runs.
func (w *Writer) inside(g *group, f func()) {
	w.groups = append(w.groups, g)
	f()
	w.groups = w.groups[:len(w.groups)-1]
}

// fold runs f, which writes a part that is closed at first if closed is set.
func (w *Writer) fold(closed bool, f func()) {
	if !closed {
		f()
		return
	}
	w.Folded++
	f()
	w.Folded--
}

// parent returns the innermost group if it has that name, else nil.
func (w *Writer) parent(name string) *group {
	if n := len(w.groups); n > 0 && w.groups[n-1].name == name {
		return w.groups[n-1]
	}
	return nil
}

// capture returns what f writes instead of writing it to the page.
func (w *Writer) capture(f func()) []byte {
	page, b := w.Buffer, &htmlbuf.Buffer{}
	if n := len(w.spare); n > 0 {
		b, w.spare = w.spare[n-1], w.spare[:n-1]
		b.Reset()
	}
	w.Buffer = b
	f()
	w.Buffer = page
	w.spare = append(w.spare, b)
	return bytes.Clone(b.Bytes())
}
