package markdown

import (
	"bytes"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// writer writes blocks, line by line, into the open containers.
type writer struct {
	out     bytes.Buffer
	resolve Resolve
	prefix  string // written before each line, for the enclosing containers
	mark    string // written before the next line instead, because it contains the marker of a new list item
	fresh   bool   // the current container is empty, so no empty line is needed
	prev    kind   // kind of the last block

	depth  int // nesting depth of nodes
	left   int // nodes that may still be written
	looks  int // nodes that may still be examined to distinguish blocks from text
	slots  [][]ast.Node
	files  int // number of snippets so far
	scope  int // number of the current snippet, for its footnotes; 0 = the page
	noted  []note
	serial []int // step numbers of the enclosing Steps, innermost last
}

// kind is the kind of the preceding block. It distinguishes only what matters for the next block.
type kind int

const (
	other  kind = iota
	dashes      // a list with "-"
	stars
	dots // a list with "1."
	parens
	entries // consecutive items from components
)

type note struct {
	label string
	body  *ast.Footnote
}

func newWriter(resolve Resolve) *writer {
	if resolve == nil {
		resolve = func(dest string, _ bool) (string, bool) { return dest, true }
	}
	return &writer{resolve: resolve, left: maxNodes, looks: maxLooks, fresh: true}
}

// spend counts a node. It returns false if a limit of the page is exceeded.
func (w *writer) spend() bool {
	w.left--
	return w.left > 0 && w.out.Len() < maxBytes
}

// line writes one line.
func (w *writer) line(s string) {
	lead := w.prefix
	if w.mark != "" {
		lead, w.mark = w.mark, ""
	}
	if s == "" {
		lead = strings.TrimRight(lead, " ")
	}
	w.out.WriteString(lead)
	w.out.WriteString(s)
	w.out.WriteByte('\n')
}

// begin starts a block.
func (w *writer) begin() {
	if !w.fresh {
		w.line("")
	}
	w.fresh, w.prev = false, other
}

// within opens a container while body runs. It writes first before the first line, and rest before all other lines.
func (w *writer) within(first, rest string, body func()) {
	if w.out.Len() >= maxBytes {
		return
	}
	w.begin()
	prefix, head := w.prefix, w.prefix
	if w.mark != "" {
		head = w.mark
	}
	w.mark, w.prefix, w.fresh = head+first, prefix+rest, true
	body()
	if w.mark != "" { // nothing was written
		w.line("")
	}
	w.prefix, w.fresh, w.prev = prefix, false, other
}

// item writes a list item. If close is set, there is no empty line before the item.
func (w *writer) item(marker string, close bool, body func()) {
	if close {
		w.fresh = true
	}
	w.within(marker, strings.Repeat(" ", len(marker)), body)
}

// entry writes a list item for a component. Consecutive entries form one list.
func (w *writer) entry(body func()) {
	w.item("- ", w.prev == entries, body)
	w.prev = entries
}

// paragraph writes text that already is Markdown. It escapes characters that would start a block at the beginning
// of a line.
func (w *writer) paragraph(text string) {
	begun := false
	text = strings.TrimRight(text, " \t\r\n")
	if n := len(text) - len(strings.TrimRight(text, `\`)); n%2 == 1 { // a line break at the end
		text = text[:len(text)-1]
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line = trim(line); line == "" || line == `\` { // empty, or a line break after an empty line
			continue
		}
		if !begun {
			w.begin()
			line = noModule(line)
			begun = true
		}
		if w.out.Len() >= maxBytes {
			return
		}
		w.line(harmless(line))
	}
}

// trim removes white space around a line, but keeps an escaped line break at its end.
func trim(line string) string { return strings.Trim(line, " \t\r\v\f") }

// heading writes a heading. text is Markdown.
func (w *writer) heading(level int, text string) {
	text = oneLine(text)
	if text == "" {
		return
	}
	if strings.HasSuffix(text, "#") {
		text = text[:len(text)-1] + `\#`
	}
	w.begin()
	w.line("######"[:min(6, max(1, level))] + " " + text)
}

// label writes the title of a part as a paragraph in bold.
func (w *writer) label(text string) {
	if text = bold(oneLine(text)); text != "" {
		w.paragraph(text)
	}
}

func bold(text string) string {
	if text == "" {
		return ""
	}
	return "**" + text + "**"
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// fence writes code. info is the language and the meta.
func (w *writer) fence(info, text string) {
	info = oneLine(info)
	mark := byte('`')
	if strings.IndexByte(info, '`') >= 0 {
		mark = '~'
	}
	n := max(3, longest(text, mark)+1)
	fence := strings.Repeat(string(mark), n)
	w.begin()
	w.line(fence + info)
	w.lines(text)
	w.line(fence)
}

// lines writes text unchanged.
func (w *writer) lines(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if w.out.Len() >= maxBytes {
			return
		}
		w.line(strings.TrimSuffix(line, "\r"))
	}
}

// longest returns the length of the longest run of c in s.
func longest(s string, c byte) (most int) {
	n := 0
	for i := range len(s) {
		if s[i] != c {
			n = 0
			continue
		}
		n++
		most = max(most, n)
	}
	return most
}
