package llmstxt

import (
	"bytes"
	"strconv"

	"github.com/lectern-docs/lectern/internal/render/markdown"
)

// FullMax bounds llms-full.txt, in bytes.
const FullMax = 10 << 20

// Full counts what goes into llms-full.txt: its head, pages in order, its tail. The caller writes them.
type Full struct {
	size, max int    // bytes so far, and at most
	more      string // address of llms.txt
	left      int    // pages that are left out
}

// NewFull starts the file, with its head. note is the author's words to agents, max the file's bound in bytes, and more
// the address of the list of all pages.
func NewFull(name, description, note, more string, max int) (f *Full, head []byte) {
	head = []byte("# " + markdown.Text(name) + "\n")
	if d := shorten(description, 2000); d != "" {
		head = append(head, "\n> "+markdown.Text(d)+"\n"...)
	}
	if block := markdown.Note(note); block != "" {
		head = append(head, "\n"+block...)
	}
	return &Full{size: len(head), max: max, more: more}, head
}

// Room reports whether a page of this many bytes fits. The first that does not ends the file: what follows would lack
// its context.
func (f *Full) Room(bytes int) bool { return f.left == 0 && f.size+bytes+overhead <= f.max }

// overhead is what a page and the closing note take beside the page's text, at most.
const overhead = 5 << 10

// AppendPage appends a page as it stands in the file: its Markdown form, under its address.
func AppendPage(out []byte, url string, text []byte) []byte {
	out = append(out, "\n---\n\nSource: "+markdown.Link(url, url)+"\n\n"...)
	return append(append(out, bytes.TrimSpace(text)...), '\n')
}

// Add counts a page that was written, by the bytes that it takes there.
func (f *Full) Add(bytes int) { f.size += bytes }

// Skip counts pages that are left out.
func (f *Full) Skip(pages int) { f.left += pages }

// Tail returns the end of the file; empty when all pages are in it.
func (f *Full) Tail() []byte {
	if f.left == 0 {
		return nil
	}
	return []byte("\n---\n\nThe file ends here. Pages omitted: " + strconv.Itoa(f.left) + ". " +
		"All pages are listed in " + markdown.Link("llms.txt", f.more) + ".\n")
}
