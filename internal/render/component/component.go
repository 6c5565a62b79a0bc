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

// Component is an entry of the catalogue.
type Component struct {
	Name  string // as authors write it: "Card", "Tree.File"
	Props []Prop // known props; the check warns about others
	// Inline components (Badge, Icon, Tooltip, Link …) write phrasing content and may occur in a paragraph. Other
	// components write blocks.
	Inline bool
	// Instead names the component that an author should use if this name is a common mistake. The element is rendered
	// as that component, with a warning. "" = not a mistake.
	Instead string
	// Render writes the element. Its props are evaluated and checked, but may include unknown ones.
	Render func(w *Writer, e *ast.Element)
}

// Prop describes one prop for checks and documentation.
type Prop struct {
	Name     string
	Kind     Kind
	Required bool
	Values   []string // allowed words for the kind Word
	Ignored  bool     // common on real pages but without effect: accepted without a warning
}

// Kind is the type of a prop's value.
type Kind int

const (
	Text   Kind = iota // a string or number
	Flag               // true or false
	Number             // a number, or a string that contains one
	Word               // one of Prop.Values
	Icon               // the name of an icon, a file, a URL or JSX
	Rich               // a string or JSX
	Data               // an array or object
)

// Host is the page around a component. Package render implements it.
type Host interface {
	// Render writes content (blocks or inlines) to the Writer's Buffer.
	Render(nodes []ast.Node)
	// Inline parses a string prop as Markdown of a single line: code, emphasis; links become their text.
	Inline(markdown string) []ast.Node
	// Resolve resolves a URL. ok is false if the page must not contain the URL.
	Resolve(dest string, image bool, at ast.Span) (to Address, ok bool)
	// Warn reports a finding to the author, with its position in the source.
	Warn(at ast.Span, code, message, hint string)
	// Outline adds an entry to the page's table of contents. level is 2 to 6.
	Outline(level int, id, text string)
}

// Address is a resolved reference. If it is an image file of the site, Width and Height are its size in CSS pixels.
// Both are 0 for anything else, and for files that do not contain their size.
type Address struct {
	Href          string
	Width, Height int
	Variants      []Variant // narrower copies of an image, narrowest first
}

// Variant is a narrower copy of an image. Width is in pixels.
type Variant struct {
	Href  string
	Width int
}

// columnWidth is the width at which pages show an image: the width of the text column. For narrow screens it is a third
// of the width of the narrower copy, so that phones with any pixel density load that copy.
const columnWidth = "(min-width: 48rem) 45rem, 256px"

// SourceSet writes the attributes that let browsers choose between an image and its narrower copies. It writes
// nothing if there are no copies. shown is the width at which the page shows the image, in CSS pixels; 0 means the
// width of the column.
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

// Size writes the attributes that reserve the space of an image while it loads. It writes nothing if the size is
// unknown.
func (a Address) Size(b *htmlbuf.Buffer) {
	if a.Width > 0 && a.Height > 0 {
		b.Attr("width", strconv.Itoa(a.Width))
		b.Attr("height", strconv.Itoa(a.Height))
	}
}

// Writer is the output for components. It is used for one page, and is not safe for concurrent use.
type Writer struct {
	*htmlbuf.Buffer
	Host
	IDs     *slug.Set // ids that are used on this page
	Icons   IconWriter
	Side    *htmlbuf.Buffer // the panel next to the body, for RequestExample, ResponseExample and Panel
	Classes map[string]bool // class names from the author; code that writes an author's className must add them
	// Inside counts the enclosing components by name. Parents increment the counter for themselves; children that look
	// different inside them check it.
	Inside map[string]int
	// Markdown parses a string prop like Host.Inline does, but keeps links. Captions use it. If it is nil, Inline is
	// used.
	Markdown func(text string) []ast.Node
	// Math writes a formula. If it is nil, the Host renders an ast.Math.
	Math func(b *htmlbuf.Buffer, tex string, block bool)

	Mermaid bool // a diagram was written
	Folded  int  // number of enclosing parts that are initially closed: accordions, and tabs and views that are not selected

	// Highlight highlights code. If it is nil, code is not highlighted.
	Highlight *highlight.Highlighter

	view   string   // title of the first View on the page, which is shown initially
	groups []*group // the open Tabs and Steps, innermost last
	spare  []*htmlbuf.Buffer
}

// IconWriter writes the icon called name from the site's library as inline SVG. It does not handle files or URLs. style
// is iconType ("solid", "brands" …) or "". It returns false and writes nothing if the name is unknown.
type IconWriter interface {
	WriteIcon(b *htmlbuf.Buffer, name, style string) bool
}

// CodeBlock is a fence or a <CodeBlock> with its parsed meta.
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
	Diff       bool   // highlight lines that start with + and -
	Actions    string // for diagrams: "on", "off"; "" = the site's setting
	Placement  string // position of a diagram's buttons: "top-left" …; "" = the site's setting
	Bare       bool   // inside a group: without its own title bar
	Test       string // the sample that the block belongs to; "true" if it is its own sample; run by codesample
	Output     string // the sample whose output the block shows
	At         ast.Span
}

// LineRange is lines First to Last, from 1.
type LineRange struct{ First, Last int }
