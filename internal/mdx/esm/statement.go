package esm

// Statement is an *Import or an *Export.
type Statement interface {
	// At is the offset of the statement in the source.
	At() int
}

// Import is one import statement.
type Import struct {
	Default   string // the name that the default export gets; "" = none
	Namespace string // of * as name; "" = none
	Named     []Name
	From      string // the module as written
	FromAt    int    // offset of From's opening quote
	Source    string // the whole statement
	Offset    int
}

// Name is a name and its name in the other module; equal without "as".
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

// Export is one exported name. A statement that exports several yields one for each, with the same Source and Offset.
type Export struct {
	Name   string // "default" for the default export; "*" for all of another module
	Local  string // what it is called inside, or in the module that it comes from; "" when it has no name there
	Kind   Kind
	Init   string // source of its own value; "" when there is none or it is part of a destructured one
	InitAt int    // offset of Init
	From   string // of a re-export
	Source string // the whole statement
	Offset int
}

// At implements Statement.
func (i *Import) At() int { return i.Offset }

// At implements Statement.
func (e *Export) At() int { return e.Offset }

// Error is a syntax error in a block of statements. Offset counts bytes from its start.
type Error struct {
	Offset        int
	Message, Hint string
}

func (e *Error) Error() string { return e.Message }
