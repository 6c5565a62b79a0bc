package esm

// Statement is an *Import or an *Export.
type Statement interface {
	// At is the offset of the statement in the source.
	At() int
}

// Import is one import statement.
type Import struct {
	Default   string // local name of the default export; "" = none
	Namespace string // name in * as name; "" = none
	Named     []Name
	From      string // the module as written
	FromAt    int    // offset of the opening quote of From
	Source    string // the whole statement
	Offset    int
}

// Name is an imported or exported name and the name after "as". Without "as", both are equal.
type Name struct{ Name, As string }

// Kind is the kind of an export.
type Kind string

// The kinds of exports.
const (
	Const    Kind = "const"
	Let      Kind = "let"
	Var      Kind = "var"
	Function Kind = "function"
	Class    Kind = "class"
	Default  Kind = "default"
	List     Kind = "list"     // export {a}
	Reexport Kind = "reexport" // export {a} from, export * from
)

// Export is one exported name. A statement that exports several names results in several Exports with the same
// Source and Offset.
type Export struct {
	Name   string // "default" for the default export; "*" for all exports of another module
	Local  string // the local name, or the name in the module that it comes from; "" = none
	Kind   Kind
	Init   string // source of the value; "" if it has none or is part of a pattern
	InitAt int    // offset of Init
	From   string // the module of a re-export
	Source string // the whole statement
	Offset int
}

// At implements Statement.
func (i *Import) At() int { return i.Offset }

// At implements Statement.
func (e *Export) At() int { return e.Offset }

// Error is a syntax error in a block of statements. Offset is in bytes from the start of the block.
type Error struct {
	Offset        int
	Message, Hint string
}

func (e *Error) Error() string { return e.Message }
