package llms

import (
	"bytes"
	"strconv"

	"github.com/lectern-docs/lectern/internal/twin"
)

// FullMax bounds llms-full.txt, in bytes.
const FullMax = 10 << 20

// Full collects the pages of llms-full.txt in order.
type Full struct {
	out  bytes.Buffer
	max  int
	more string // address of llms.txt
	left int
}

// NewFull starts the file. max is its bound in bytes; more is the address of the list of all pages.
func NewFull(name, description, more string, max int) *Full {
	f := &Full{max: max, more: more}
	f.out.WriteString("# " + twin.Text(name) + "\n")
	if d := shorten(description, 2000); d != "" {
		f.out.WriteString("\n> " + twin.Text(d) + "\n")
	}
	return f
}

// Room tells whether a page of this many bytes fits. The first that does not ends the file: what follows would lack its context.
func (f *Full) Room(bytes int) bool { return f.left == 0 && f.out.Len()+bytes+overhead <= f.max }

// overhead is what a page and the closing note take beside the page's text, at most.
const overhead = 5 << 10

// Page adds a page: its Markdown form, under its address.
func (f *Full) Page(url string, text []byte) {
	f.out.WriteString("\n---\n\nSource: " + twin.Link(url, url) + "\n\n")
	f.out.Write(bytes.TrimSpace(text))
	f.out.WriteByte('\n')
}

// Skip counts a page that is left out.
func (f *Full) Skip() { f.left++ }

// Bytes is the file.
func (f *Full) Bytes() []byte {
	if f.left > 0 {
		f.out.WriteString("\n---\n\nThe file ends here; pages left out: " + strconv.Itoa(f.left) + ". ")
		f.out.WriteString("All pages are listed in " + twin.Link("llms.txt", f.more) + ".\n")
		f.left = 0
	}
	return f.out.Bytes()
}
