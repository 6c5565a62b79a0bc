package component

import (
	"bytes"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
)

// group is a parent that shares data with its children while they are rendered: Tabs collects titles, Steps counts.
// Children find it even through fragments, included files or the author's own components.
type group struct {
	name   string   // "Tabs", "Steps"
	count  int      // children rendered so far
	size   string   // Steps: titleSize for all steps
	titles []string // Tabs: items={[…]}, titles for tabs without their own
	start  int      // Tabs: the tab that is open initially, from 0
	tabs   []tab
}

// tab is a rendered child of Tabs.
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

// fold runs f, which writes a part that is initially closed if closed is set.
func (w *Writer) fold(closed bool, f func()) {
	if !closed {
		f()
		return
	}
	w.Folded++
	f()
	w.Folded--
}

// parent returns the innermost group if it has the given name, otherwise nil.
func (w *Writer) parent(name string) *group {
	if n := len(w.groups); n > 0 && w.groups[n-1].name == name {
		return w.groups[n-1]
	}
	return nil
}

// capture returns the output of f instead of writing it to the page.
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
