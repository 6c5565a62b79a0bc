package build

import (
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// result is one finished page. pageRenderer creates it, or pageCache loads it; pageWriter writes it, and a preview
// keeps it.
type result struct {
	page    *site.Page
	html    payload // empty if the page failed and is not shown
	failed  bool
	twin    payload
	card    output.File // without a path if the page has no card
	feed    []byte      // nil if the page has no feed
	extras  extras
	entry   entry
	anchors pageAnchors
	list    diag.List
	words   words
	record  []byte // for the cache; nil if the page was loaded from there, or cannot be cached
}

// shown reports whether the page has a document to write.
func (r *result) shown() bool { return r.html.data != nil || r.html.packed != nil }

// newResult returns the result of a page before any step.
func newResult(p *site.Page, modified time.Time) result {
	return result{page: p, entry: entry{page: p, modified: unixSeconds(modified)}}
}

// failedResult returns the result of a page that is not shown. For a page without its own file, the finding points to
// the API description.
func failedResult(p *site.Page, code, message string) result {
	r := result{page: p, entry: entry{page: p}}
	pos := diag.Pos{File: p.File, Line: 1, Column: 1}
	if p.File == "" && p.API != nil {
		pos.File = p.API.Spec
	}
	r.list.Errorf(pos, code, "%s", message)
	return r
}

// pageDiagMax limits the findings that are kept for one page.
const pageDiagMax = 50

// limitFindings truncates the findings of a page to pageDiagMax. It keeps errors first.
func limitFindings(list diag.List) diag.List {
	if len(list) <= pageDiagMax {
		return list
	}
	slices.SortStableFunc(list, func(a, b diag.Diagnostic) int {
		return strings.Compare(string(a.Severity), string(b.Severity))
	})
	return list[:pageDiagMax]
}
