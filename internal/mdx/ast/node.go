package ast

// Span is a range of the source: bytes Start to End of the parsed body. Nodes created by evaluation have the span
// of the node that they replace. A span has no file name: a tree comes from one file, and expand wraps content from
// other files in an Included.
type Span struct{ Start, End int }

// Node is one node of the tree.
type Node interface{ Place() Span }

// Place implements Node for all node types, which embed their Span.
func (s Span) Place() Span { return s }

// Parent is a node with children. List returns a pointer to them, so that a pass can replace them in its own copy.
type Parent interface {
	Node
	List() *[]Node
}

// Children is embedded in parents.
type Children []Node

// List implements Parent.
func (c *Children) List() *[]Node { return (*[]Node)(c) }

// Block nodes.
type (
	// Root is the root of a body.
	Root struct {
		Span
		Children
	}
	Paragraph struct {
		Span
		Children
	}
	Heading struct {
		Span
		Children
		Level int
		ID    string // from {#id}; "" = derived from the text
	}
	Quote struct {
		Span
		Children
	}
	List struct {
		Span
		Children // of *Item
		Ordered  bool
		Start    int // of an ordered list
		Tight    bool
	}
	Item struct {
		Span
		Children
		Task Task
	}
	// Code is a fenced code block; this dialect has no indented code.
	Code struct {
		Span
		Lang string // first word of the info string, entities and escapes resolved
		Meta string // the rest of the info string, trimmed, entities and escapes resolved
		Text string // without the last line break
	}
	// Math is a TeX formula, as a block ($$ fences) or inline.
	Math struct {
		Span
		Text  string
		Block bool
	}
	Rule  struct{ Span } // thematic break
	Table struct {
		Span
		Children // of *Row; the first is the head
		Align    []Align
	}
	Row struct {
		Span
		Children // of *Cell, one for each column; fewer if the page exceeds the limit for padding
	}
	Cell struct {
		Span
		Children
	}
	// Footnote is the definition of a footnote that is referenced. In Root, footnotes come after everything else, in
	// the order of their first references.
	Footnote struct {
		Span
		Children
		Label  string // as written in the first reference
		Number int    // from 1, in order of first reference
		Refs   int    // number of references
	}
)

// Inline nodes.
type (
	// Text is text as readers see it: entities and escapes resolved, quotes made typographic.
	Text struct {
		Span
		Value string
	}
	Emphasis struct {
		Span
		Children
	}
	Strong struct {
		Span
		Children
	}
	Strike struct {
		Span
		Children
	}
	CodeSpan struct {
		Span
		Value string
	}
	Link struct {
		Span
		Children
		URL, Title string
		Auto       bool // from a bare address or e-mail address in the text
	}
	Image struct {
		Span
		URL, Title, Alt string
	}
	Break       struct{ Span } // hard line break; soft ones are "\n" in Text
	FootnoteRef struct {
		Span
		Number int // of the Footnote
		Nth    int // number of this reference among those to the same Footnote, from 1
	}
)

// Nodes for JSX, expressions and modules. They occur among blocks and inlines.
type (
	// Element is a JSX tag with its content.
	Element struct {
		Span
		Children
		Name  string // "Card", "Tree.File", "div"; "" for a fragment
		Attrs []Attr
		Flow  bool // occurs among blocks; its children may still be inlines: <b>x</b> alone on a line
		Open  Span // the opening tag
		// Props holds the evaluated attributes in order; later ones take precedence. The parser leaves them nil and
		// expand sets them.
		Props []Prop
	}
	// Expr is {source} in content. Source does not include the braces.
	Expr struct {
		Span
		Source string
		Flow   bool
	}
	// ESM is a group of import and export statements.
	ESM struct {
		Span
		Source string
	}
	// Included is content from another file, whose diagnostics refer to that file. Only expand creates it.
	Included struct {
		Span // of the element that includes the file
		Children
		File *File
	}
	// Island is a client component. Children holds the server's output. Only expand creates it.
	Island struct {
		Span
		Children
		Unit  string   // the file that contains its code: a page or snippet
		Thunk int      // index of the thunk in that unit
		Props string   // JSON object: the variables in scope
		Slots [][]Node // content that was passed in; Slot nodes below Children mark its position
	}
	// Personal is content that depends on the reader. Children is the content for an unknown reader. Only expand
	// creates it.
	Personal struct {
		Span
		Children
		Code   string // computed by the browser: text that replaces Children, or a condition, see expr.Later
		Choice bool   // Code is a condition
		Holds  bool   // the condition is true for an unknown reader, so Children are shown
		Other  []Node // shown instead of Children when the condition changes
	}
	// Slot marks the position in evaluated JSX where content that was passed in belongs. Outside of islands, expand
	// replaces the slot with that content. Inside an island, a snippet that the code includes is a slot with a name and
	// its own nodes.
	Slot struct {
		Span
		Index int
		Name  string
		Nodes []Node
	}
)

// AttrKind is the syntax of an attribute.
type AttrKind int

const (
	AttrTrue   AttrKind = iota // <Card horizontal>
	AttrString                 // title="x": Value has entities resolved
	AttrExpr                   // cols={2}: Value is the source between the braces
	AttrSpread                 // {...props}: Value is the source after the dots; Name is ""
)

// Attr is one attribute as written. Span covers the whole attribute, ValueSpan the text between the quotes or
// braces.
type Attr struct {
	Span
	Name      string
	Kind      AttrKind
	Value     string
	ValueSpan Span
}

// Prop is one evaluated attribute.
type Prop struct {
	Name  string
	Value Value
	Attr  Span // where it was written
}

// Align is the alignment of a table column.
type Align int

const (
	AlignNone Align = iota
	AlignLeft
	AlignCenter
	AlignRight
)

// Task is the checkbox of a list item.
type Task int

const (
	NoTask Task = iota
	TaskOpen
	TaskDone
)
