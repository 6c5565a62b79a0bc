package component

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/highlight"
)

// Component is one entry of the catalogue.
type Component struct {
	Name  string // as authors write it: "Card", "Tree.File"
	Props []Prop // what it understands; the check warns about others
	// Inline components (Badge, Icon, Tooltip, Link …) write phrasing content and may stand in a paragraph; the others
	// write blocks.
	Inline bool
	// Instead names the component an author should write: this one is a common mistake for it, drawn the same with a
	// warning. "" = fine.
	Instead string
	// Render writes the element. Props are evaluated and checked; unknown ones may be there.
	Render func(w *Writer, e *ast.Element)
}

// Prop describes one prop for checks and documentation.
type Prop struct {
	Name     string
	Kind     Kind
	Required bool
	Values   []string // allowed words, for Word
	Ignored  bool     // common in real pages but without effect: accepted in silence
}

// Kind is what a prop may hold.
type Kind int

const (
	Text   Kind = iota // a string or number
	Flag               // true or false
	Number             // a number, or a string that is one
	Word               // one of Prop.Values
	Icon               // an icon's name, a file, an address or JSX
	Rich               // a string or JSX
	Data               // an array or object
)

// Host is the page that a component is on; package render implements it.
type Host interface {
	// Render writes content (blocks or inlines, as they come) to the Writer's Buffer.
	Render(nodes []ast.Node)
	// Inline reads a string prop as Markdown in one line: code, emphasis; links become their text.
	Inline(markdown string) []ast.Node
	// Resolve decides an address; ok is false when it must not be written out.
	Resolve(dest string, image bool, at ast.Span) (to Address, ok bool)
	// Warn reports a finding to the author, with its position in the source.
	Warn(at ast.Span, code, message, hint string)
	// Outline adds an entry to the page's table of contents. level is 2 to 6.
	Outline(level int, id, text string)
}

// Address is what a reference leads to. Width and Height are those of a picture that is a file of the site, in CSS
// pixels; both are 0 for everything else, and where the file does not tell.
type Address struct {
	Href          string
	Width, Height int
	Variants      []Variant // narrower copies of a picture, narrowest first
}

// Variant is a narrower copy of a picture; Width is in pixels.
type Variant struct {
	Href  string
	Width int
}

// columnWidth is how wide pages show a picture: the column of text. On narrow screens it is a third of a copy's pixels,
// so that phones of every density take the copy.
const columnWidth = "(min-width: 48rem) 45rem, 256px"

// SourceSet writes the attributes by which browsers choose among a picture and its narrower copies; nothing when it has
// none. shown is the width at which the page shows it, in CSS pixels; 0 is that of the column.
func (a Address) SourceSet(b *htmlbuf.Buffer, shown int) {
	if len(a.Variants) == 0 || a.Width <= 0 {
		return
	}
	var set strings.Builder
	for _, v := range append(slices.Clip(a.Variants), Variant{a.Href, a.Width}) {
		if set.Len() > 0 {
			set.WriteString(", ")
		}
		set.WriteString(v.Href + " " + strconv.Itoa(v.Width) + "w")
	}
	b.Attr("srcset", set.String())
	if shown > 0 {
		b.Attr("sizes", "(min-width: 48rem) "+strconv.Itoa(shown)+"px, 256px")
		return
	}
	b.Attr("sizes", columnWidth)
}

// Size writes the attributes that keep a picture's place free while it loads; nothing when its size is not known.
func (a Address) Size(b *htmlbuf.Buffer) {
	if a.Width > 0 && a.Height > 0 {
		b.Attr("width", strconv.Itoa(a.Width))
		b.Attr("height", strconv.Itoa(a.Height))
	}
}

// Writer is where components write. It belongs to one page and one goroutine.
type Writer struct {
	*htmlbuf.Buffer
	Host
	IDs     *slug.Set // ids taken on this page
	Icons   IconWriter
	Side    *htmlbuf.Buffer // the panel beside the body: RequestExample, ResponseExample, Panel write here
	Classes map[string]bool // class names that authors wrote; code that writes an author's className adds them
	// how many components of a name are around this one; parents count, children that look different inside them ask
	Inside map[string]int
	// Markdown reads a string prop like Host.Inline but keeps its links (captions); nil falls back to Inline.
	Markdown func(text string) []ast.Node
	// Math writes a formula; nil has the Host draw an ast.Math.
	Math func(b *htmlbuf.Buffer, tex string, block bool)

	Mermaid bool // a diagram was written
	Folded  int  // parts around this one that are closed at first: accordions, and tabs and views that are not chosen

	// Highlight colours code; nil leaves it plain.
	Highlight *highlight.Highlighter

	view   string   // the title of the page's first View, which is the one shown at first
	groups []*group // the Tabs and Steps that are open, innermost last
	spare  []*htmlbuf.Buffer
}

// IconWriter writes the icon called name as inline SVG; files and addresses do not come here. The library is the
// site's; style is iconType ("solid", "brands" …) or "". It reports whether it wrote something; an unknown name
// writes nothing.
type IconWriter interface {
	WriteIcon(b *htmlbuf.Buffer, name, style string) bool
}

// CodeBlock is a fence or a <CodeBlock>, its meta read.
type CodeBlock struct {
	Lang       string
	Title      string
	Icon       string
	Text       string
	Highlight  []LineRange
	Focus      []LineRange
	Lines      bool // show line numbers
	Wrap       bool
	NoCopy     bool
	Expandable bool
	Twoslash   bool
	Diff       bool   // lines that start with + and - are marked
	Actions    string // of a diagram: "on", "off", "" = as the site has it
	Placement  string // of a diagram's buttons: "top-left" …, "" = as the site has it
	Bare       bool   // inside a group: no title bar of its own
	Test       string // the sample that the block is part of, "true" for one of its own; package codesample runs it
	Output     string // the sample that prints the block
	At         ast.Span
}

// LineRange is lines First to Last, from 1.
type LineRange struct{ First, Last int }
