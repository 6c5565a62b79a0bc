package expand

import "github.com/lectern-docs/lectern/internal/mdx/ast"

// scope is the context in which content is expanded: the page itself, or one use of a snippet.
type scope struct {
	module *module     // module that contains the content
	props  *ast.Object // props of the snippet; nil on the page
	up     *scope      // scope of the tag that uses the snippet; nil on the page
	depth  int         // number of enclosing snippets
}

// prop returns a prop of the snippet by its name. The name props stands for the object with all props.
func (s *scope) prop(name string) (v ast.Value, ok bool) {
	given := s.props
	if given == nil {
		given = &ast.Object{}
	}
	if name == "props" {
		return given, true
	}
	v, ok = given.Values[name]
	return v, ok
}

// includes reports whether the scope or an enclosing scope belongs to a file.
func (s *scope) includes(file string) bool {
	for ; s != nil; s = s.up {
		if s.module.file.Name == file {
			return true
		}
	}
	return false
}
