package maintain

import (
	"fmt"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
	"github.com/lectern-docs/lectern/internal/mdx/write"
)

// source is a page or a snippet that has been read. Spans are positions in body.
type source struct {
	name   string
	all    []byte
	head   []byte // front matter with its fences; empty if there is none
	body   []byte
	root   *ast.Root
	fields frontmatter.Fields
	file   *ast.File

	defined map[string][]ast.Span // addresses in link definitions; nil until needed
}

// parse parses a source. If it has errors, ok is false and an item is added to the report: maintain changes nothing
// that it cannot parse.
func (j *job) parse(name string, all []byte) (s *source, ok bool) {
	s, list := parseSource(name, all)
	for _, d := range list {
		if d.Severity == diag.Error {
			j.left(name, d.Line, d.Message, "a page that cannot be parsed is not changed")
			return nil, false
		}
	}
	return s, true
}

// parseSource parses a source. The result is unusable if there are errors.
func parseSource(name string, all []byte) (*source, diag.List) {
	front, list := frontmatter.Parse(name, all)
	var root *ast.Root
	if !list.HasErrors() {
		root, list = mdx.ParseWith(mdx.Options{}, name, front.Body, front.BodyLine)
	}
	return &source{
		name: name, all: all, head: all[:len(all)-len(front.Body)], body: front.Body, root: root, fields: front.Fields,
		file: &ast.File{Name: name, Body: front.Body, Line: front.BodyLine},
	}, list
}

// line returns the line in the file for an offset in the body.
func (s *source) line(offset int) int { return s.file.Pos(offset).Line }

// apply writes the source with the given head and edits of its body, and reports whether it was written.
func (j *job) apply(s *source, head []byte, edits []write.Edit) (bool, error) {
	body, err := write.Apply(s.body, edits)
	if err != nil {
		return false, fmt.Errorf("change %s: %w", s.name, err)
	}
	out := append(append(make([]byte, 0, len(head)+len(body)), head...), body...)
	return j.write(s.name, s.all, out)
}
