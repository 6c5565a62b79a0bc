package publish

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

const (
	heldCode        = "update_held"
	usualMaxRemoved = 50 // percent
	leastRemoved    = 3  // pages; fewer are never held for their share
	namedRemoved    = 10 // pages that the message names
)

// hold refuses an update that would remove many of the live pages although nothing that the author changed removes
// them. An update that was confirmed passes, and so does a preview: it replaces nothing.
func (r *run) hold(live, next deploy.Manifest, unread []string) error {
	if r.d.Kind != deploy.Production || r.d.Trigger == deploy.Confirmed {
		return nil
	}
	l := compare(live, next, unread)
	share := r.MaxRemoved
	if share == 0 {
		share = usualMaxRemoved
	}
	many := len(l.pages) >= leastRemoved && len(l.pages)*100 > share*l.of
	if !many && !l.unread {
		return nil
	}
	text := fmt.Sprintf(
		"The update would remove %d of %d pages although the source does not remove them: %s. %s The live site is unchanged.", len(l.pages), l.of, l.names(), strings.Join(l.reasons(), " "))
	hint := "If this is intended, confirm it: update the project with acceptRemovals, or run lectern projects update --accept-removals."
	r.d.Diagnostics = append(diag.List{{Severity: diag.Error, Code: "update-held", Message: text, Hint: hint}},
		r.d.Diagnostics...)
	return fault.New(fault.Conflict, heldCode, text).WithHint(hint)
}

// losses are the pages of the live site that an update would remove without a change of the author's.
type losses struct {
	pages  []string
	of     int  // pages that the live site has
	unread bool // some are lost because an API description of the docs folder cannot be read
	why    map[string]bool
}

// compare finds the pages of the live site that are missing in the next one. The author has removed those whose file is
// gone from the same source, and those whose API description is not named any more or was changed in the source. Pages
// that were fine and now fail are not removed.
func compare(live, next deploy.Manifest, unread []string) losses {
	there := make(map[string]bool, len(next.Pages))
	for _, p := range next.Pages {
		there[p.Path] = true
	}
	before := pagesOf(live)
	l := losses{of: len(before), why: map[string]bool{}}
	for _, p := range before {
		if there[p.Path] {
			continue
		}
		why := ""
		switch {
		case p.Spec != "" && slices.Contains(unread, p.Spec):
			l.unread, why = true, fmt.Sprintf("The API description %s cannot be read.", p.Spec)
		case live.Source != "" && live.Source != next.Source:
			why = "The project's source, branch or docs folder has changed."
		case live.Commit == next.Commit:
			why = "The source is the same as before."
		case shrunk(p, live, next):
			why = fmt.Sprintf("The API description at %s has changed.", p.Spec)
		case failing(p, next):
			why = "The pages have new errors."
		default:
			continue
		}
		l.pages = append(l.pages, p.Path)
		l.why[why] = true
	}
	return l
}

// shrunk reports whether a page is lost because another host answers with another API description than before. A page
// with a file of its own is still written then, without what it should show.
func shrunk(p deploy.Page, live, next deploy.Manifest) bool {
	before, after := live.Copies[p.Spec], next.Copies[p.Spec]
	_, file := next.Files[p.Path+".html"]
	return before != "" && after != "" && before != after && (p.Made || file)
}

// failing reports whether a page is written as one that names its errors, which has no Markdown form.
func failing(p deploy.Page, next deploy.Manifest) bool {
	_, html := next.Files[p.Path+".html"]
	_, twin := next.Files[p.Path+".md"]
	return html && !twin
}

// pagesOf lists a site's pages. Manifests of earlier releases name files alone: a page is one with a Markdown form
// beside it.
func pagesOf(m deploy.Manifest) []deploy.Page {
	if m.Pages != nil {
		return m.Pages
	}
	var out []deploy.Page
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		page, html := strings.CutSuffix(name, ".html")
		if _, twin := m.Files[page+".md"]; html && twin {
			out = append(out, deploy.Page{Path: page})
		}
	}
	return out
}

func (l losses) names() string {
	if len(l.pages) <= namedRemoved {
		return strings.Join(l.pages, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(l.pages[:namedRemoved], ", "), len(l.pages)-namedRemoved)
}

func (l losses) reasons() []string { return slices.Sorted(maps.Keys(l.why)) }

// pages returns a build's pages as a manifest has them; never nil.
func pages(list []build.Written) []deploy.Page {
	out := make([]deploy.Page, 0, len(list))
	for _, w := range list {
		out = append(out, deploy.Page(w))
	}
	return out
}
