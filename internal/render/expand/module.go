package expand

import (
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
)

// module is a parsed .mdx file: a page or a snippet. It is immutable, except that its code is compiled when first
// needed.
type module struct {
	file     *ast.File // nil: the file does not exist
	root     *ast.Root
	findings diag.List  // from reading, parsing and its imports
	esm      []*ast.ESM // groups of import and export statements
	names    names

	compileOnce sync.Once
	code        *code // set by compiler.compile
}

// names holds the names that the import and export statements of a module define.
type names struct {
	defined map[string]definition // definitions by name
	local   []string              // names that the module itself can use, in the order written
	tried   []string              // candidate files of imports, whether they exist or not
}

// definition is the meaning of a name at the top level of a module.
type definition struct {
	kind   kind
	value  ast.Value // constant
	file   string    // snippet, reexport: the .mdx file
	export string    // reexport: the name in that file
}

type kind int

const (
	script   kind = iota // only the engine can evaluate it
	constant             // data
	snippet              // an .mdx file's content
	reexport             // a name that another .mdx file exports
	missing              // an unresolved import; already reported
)

// tag returns the definition of a tag's name. As in JSX, a name that starts with a lower-case letter is HTML, even if
// the module defines it.
func (n *names) tag(name string) (d definition, ok bool) {
	first, _, member := strings.Cut(name, ".")
	if name == "" || !member && name[0] >= 'a' && name[0] <= 'z' {
		return d, false
	}
	d, ok = n.defined[first]
	return d, ok
}

// statements returns the module's imports and exports with their positions, for the compiler.
func (m *module) statements() (out []jsbuild.Piece) {
	for _, e := range m.esm {
		out = append(out, jsbuild.Piece{Text: e.Source, At: m.file.Pos(e.Start)})
	}
	return out
}
