package ast

// Span is a range of the source: bytes Start to End of the body that was parsed. Nodes made by evaluation have the span
// of what they replace. File is not here: a whole tree comes from one file, and expand wraps what comes from another in
// an Included.
type Span struct{ Start, End int }

// Node is one node of the tree.
type Node interface{ Place() Span }

// Place implements Node for all node types, which embed their Span.
func (s Span) Place() Span { return s }

// Parent is a node with children. List points at them, so that a pass may replace them in its own copy.
type Parent interface {
	Node
	List() *[]Node
}

// Children is embedded by parents.
type Children []Node

// List implements Parent.
func (c *Children) List() *[]Node { return (*[]Node)(c) }

// Blocks.
type (
	// Root is a whole body.
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
	// Code is a fence (this dialect has no code by indentation).
	Code struct {
		Span
		Lang string // first word of the info string, entities and escapes resolved
		Meta string // the rest of it, raw but trimmed, entities and escapes resolved
		Text string // without the last line break
	}
	// Math is TeX, as a block ($$ fences) or in a line.
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
		Children // of *Cell, as many as the table has columns; fewer when a page fills up too many
	}
	Cell struct {
		Span
		Children
	}
	// Footnote is the definition of a note that was referred to. Root lists them after everything else, in order of
	// first reference.
	Footnote struct {
		Span
		Children
		Label  string // as written first
		Number int    // from 1, in order of first reference
		Refs   int    // how many references there are
	}
)

// Inlines.
type (
	// Text is text as the reader sees it: entities and escapes resolved, quotes made typographic.
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
		Auto       bool // a bare address or e-mail address in the text
	}
	Image struct {
		Span
		URL, Title, Alt string
	}
	Break       struct{ Span } // hard line break; soft ones are "\n" in Text
	FootnoteRef struct {
		Span
		Number int // of the Footnote
		Nth    int // which reference to it this is, from 1
	}
)

// JSX, expressions, modules. These occur among blocks and inlines alike.
type (
	// Element is a JSX tag with what is inside it.
	Element struct {
		Span
		Children
		Name  string // "Card", "Tree.File", "div"; "" is a fragment
		Attrs []Attr
		Flow  bool // it is among blocks; its children may still be inlines: <b>x</b> alone on a line
		Open  Span // the opening tag
		// Props are the evaluated attributes in order, later ones win. The parser leaves them nil; expand fills them.
		Props []Prop
	}
	// Expr is {source} in content, braces left out.
	Expr struct {
		Span
		Source string
		Flow   bool
	}
	// ESM is a run of import and export statements.
	ESM struct {
		Span
		Source string
	}
	// Included is content from another file, with diagnostics of its own; made by expand only.
	Included struct {
		Span // of the place that includes it
		Children
		File *File
	}
	// Island is a client component: Children are what the server rendered; made by expand only.
	Island struct {
		Span
		Children
		Unit  string   // the file whose code it is part of: page, snippet
		Thunk int      // which piece of that unit
		Props string   // JSON object: the variables in reach
		Slots [][]Node // content that was passed in; Slot nodes below Children say where it shows
	}
	// Personal is content that depends on who reads: Children are what a reader sees about whom nothing is known; made by
	// expand only.
	Personal struct {
		Span
		Children
		Code   string // what the browser computes: a text in place of Children, or a condition; see expr.Later
		Choice bool   // Code is a condition
		Holds  bool   // it holds while nothing is known about the reader, so that Children are shown then
		Other  []Node // shown in place of Children when the condition changes
	}
	// Slot is the place in evaluated JSX where content that was passed in shows; expand replaces it outside of islands.
	// Inside of one, a snippet that the code includes is a slot with a name and nodes of its own.
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

// Attr is one attribute as written. Span covers it whole; ValueSpan what is between quotes or braces.
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

// Task is the box of a list item.
type Task int

const (
	NoTask Task = iota
	TaskOpen
	TaskDone
)
