package expand

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// maxFindings bounds what is kept of one page's findings.
const maxFindings = 100

// findings are what authors should know about one page and the snippets on it.
type findings struct {
	list diag.List // in the order found
}

// warn adds a warning at a place of the scope's file.
func (f *findings) warn(s *scope, at ast.Span, code, hint, format string, args ...any) {
	if len(f.list) < maxFindings {
		f.list.Warnf(s.module.file.Pos(at.Start), code, format, args...)
		f.list.Hint(hint)
	}
}

// fail adds an error at a place of the scope's file. Warnings leave space for errors.
func (f *findings) fail(s *scope, at ast.Span, code, hint, format string, args ...any) {
	if len(f.list) < 2*maxFindings {
		f.list.Errorf(s.module.file.Pos(at.Start), code, format, args...)
		f.list.Hint(hint)
	}
}

// addNew adds those findings that are not in the list yet.
func (f *findings) addNew(list diag.List) {
	for _, d := range list {
		if len(f.list) < maxFindings && !slices.Contains(f.list, d) {
			f.list = append(f.list, d)
		}
	}
}
