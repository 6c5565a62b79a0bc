package expand

import (
	"context"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// maxNodes bounds an expanded page: snippets that include snippets twice each would grow without end.
const maxNodes = 400_000

// maxBytes bounds the text of an expanded page: one long text may be shown many times.
const maxBytes = 32 << 20

// budget is what one page may still take.
type budget struct {
	ctx      context.Context // ends the page's work
	findings *findings
	nodes    int  // that may still be made
	bytes    int  // of values and snippets that may still be inserted
	exceeded bool // was reported
}

// takeNode counts a node; false when the page has too many or no time is left.
func (b *budget) takeNode(s *scope, at ast.Span) bool {
	b.nodes--
	return b.check(b.nodes > 0 && b.ctx.Err() == nil, s, at)
}

// takeBytes counts bytes that are inserted into the page; false when they are too many.
func (b *budget) takeBytes(s *scope, at ast.Span, bytes int) bool {
	b.bytes -= bytes
	return b.check(b.bytes > 0, s, at)
}

// takeValue counts the size of a value when it is shown. It returns the value, or Undefined when it is too large.
func (b *budget) takeValue(s *scope, at ast.Span, v ast.Value) ast.Value {
	if !b.takeBytes(s, at, ast.Weight(v, maxBytes)) {
		return ast.Undefined{}
	}
	return v
}

// check returns ok. The first time that it is false it adds a finding.
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
