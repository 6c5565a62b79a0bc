package expand

import (
	"context"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// maxNodes limits the number of nodes of an expanded page, which can grow exponentially: a snippet may include another
// snippet twice.
const maxNodes = 400_000

// maxBytes limits the text of an expanded page, in bytes. A page may show one long text many times.
const maxBytes = 32 << 20

// budget holds the remaining resources of one page.
type budget struct {
	ctx      context.Context // done when work on the page must stop
	findings *findings
	nodes    int  // nodes that may still be created
	bytes    int  // bytes of values and snippets that may still be inserted
	exceeded bool // the limit was exceeded and reported
}

// takeNode counts a node. It returns false if the page has too many nodes or its context is done.
func (b *budget) takeNode(s *scope, at ast.Span) bool {
	b.nodes--
	return b.check(b.nodes > 0 && b.ctx.Err() == nil, s, at)
}

// takeBytes counts bytes that are inserted into the page. It returns false if the page has too many.
func (b *budget) takeBytes(s *scope, at ast.Span, bytes int) bool {
	b.bytes -= bytes
	return b.check(b.bytes > 0, s, at)
}

// takeValue counts the size of a value when it is shown. It returns the value, or Undefined if the value is too
// large.
func (b *budget) takeValue(s *scope, at ast.Span, v ast.Value) ast.Value {
	if !b.takeBytes(s, at, ast.Weight(v, maxBytes)) {
		return ast.Undefined{}
	}
	return v
}

// check returns ok. When it is false for the first time, it adds a finding.
func (b *budget) check(ok bool, s *scope, at ast.Span) bool {
	if ok || b.exceeded {
		return ok
	}
	b.exceeded = true
	if b.ctx.Err() != nil {
		b.findings.fail(s, at, "page-too-slow", "", "The page was not finished in time.")
		return false
	}
	b.findings.fail(s, at, "page-too-large", "Check for values and snippets that include each other many times.",
		"The page has more than %d pieces of content or %d MB.", maxNodes, maxBytes>>20)
	return false
}
