package expand

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// maxFindings limits the number of findings per page.
const maxFindings = 100

// findings collects the findings about one page and its snippets.
type findings struct {
	list diag.List // in the order of discovery
}

// warn adds a warning with a position in the scope's file.
func (f *findings) warn(s *scope, at ast.Span, code, hint, format string, args ...any) {
	if len(f.list) < maxFindings {
		f.list.Warnf(s.module.file.Pos(at.Start), code, format, args...)
		f.list.Hint(hint)
	}
}

// fail adds an error with a position in the scope's file. The limit is higher than that of warn, so that warnings do
// not displace errors.
func (f *findings) fail(s *scope, at ast.Span, code, hint, format string, args ...any) {
	if len(f.list) < 2*maxFindings {
		f.list.Errorf(s.module.file.Pos(at.Start), code, format, args...)
		f.list.Hint(hint)
	}
}

// addNew adds the findings that are not in the list yet.
func (f *findings) addNew(list diag.List) {
	for _, d := range list {
		if len(f.list) < maxFindings && !slices.Contains(f.list, d) {
			f.list = append(f.list, d)
		}
	}
}
