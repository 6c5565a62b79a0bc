package maintain

import (
	"fmt"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
	"github.com/lectern-docs/lectern/internal/mdx/write"
)

// source is a page or a snippet, read. Spans are places in body.
type source struct {
	name   string
	all    []byte
	head   []byte // front matter with its fences; empty when there is none
	body   []byte
	root   *ast.Root
	fields frontmatter.Fields
	file   *ast.File

	defined map[string][]ast.Span // addresses in definitions of links; nil until they are asked for
}

// parse reads a source; ok is false, with an item, when it cannot be: nothing is changed in what is not understood.
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

// parseSource reads a source. It is of no use if there are errors.
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

// line returns the line of the file that a place of the body is on.
func (s *source) line(offset int) int { return s.file.Pos(offset).Line }

// apply writes the source with edits of its body, under the head it is given. It reports whether it was written.
func (j *job) apply(s *source, head []byte, edits []write.Edit) (bool, error) {
	body, err := write.Apply(s.body, edits)
	if err != nil {
		return false, fmt.Errorf("change %s: %w", s.name, err)
	}
	out := append(append(make([]byte, 0, len(head)+len(body)), head...), body...)
	return j.write(s.name, s.all, out)
}
