package llmstxt

import (
	"bytes"
	"strconv"

	"github.com/lectern-docs/lectern/internal/render/markdown"
)

// FullMax limits llms-full.txt, in bytes.
const FullMax = 10 << 20

// Full tracks the size of llms-full.txt, which consists of a head, pages in order and a tail. The caller writes the
// file.
type Full struct {
	size, max int    // bytes so far, and the maximum
	more      string // address of llms.txt
	left      int    // number of omitted pages
}

// NewFull returns a Full and the head of the file. note is the author's note to agents, max the maximum size in bytes,
// and more the address of the list of pages.
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

// Room reports whether a page of this many bytes fits. The first page that does not fit ends the file, because the
// following pages would lack its context.
func (f *Full) Room(bytes int) bool { return f.left == 0 && f.size+bytes+overhead <= f.max }

// overhead is the maximum number of bytes that a page and the closing note take in addition to the page's text.
const overhead = 5 << 10

// AppendPage appends a page as the file contains it: its address followed by its Markdown form.
func AppendPage(out []byte, url string, text []byte) []byte {
	out = append(out, "\n---\n\nSource: "+markdown.Link(url, url)+"\n\n"...)
	return append(append(out, bytes.TrimSpace(text)...), '\n')
}

// Add counts a page that was written, by its size in bytes.
func (f *Full) Add(bytes int) { f.size += bytes }

// Skip counts omitted pages.
func (f *Full) Skip(pages int) { f.left += pages }

// Tail returns the end of the file. It is empty if the file contains all pages.
func (f *Full) Tail() []byte {
	if f.left == 0 {
		return nil
	}
	return []byte("\n---\n\nThe file ends here. Pages omitted: " + strconv.Itoa(f.left) + ". " +
		"All pages are listed in " + markdown.Link("llms.txt", f.more) + ".\n")
}
