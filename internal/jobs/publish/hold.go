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
	leastRemoved    = 3  // pages; removing fewer is always allowed
	namedRemoved    = 10 // pages named in the message
)

// hold rejects an update that would remove many of the live pages although the author did not remove them. Confirmed
// updates pass, and so do previews, because they replace nothing.
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

// losses lists the live pages that an update would remove without a corresponding change by the author.
type losses struct {
	pages  []string
	of     int  // number of pages of the live site
	unread bool // some pages are lost because an API description in the docs folder cannot be read
	why    map[string]bool
}

// compare finds the pages of the live site that are missing in the next one. Pages count as removed by the author if
// their file was deleted from the same source, or if their API description is no longer referenced or was changed in
// the source. Pages that worked before and fail now do not count as removed.
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

// shrunk reports whether a page is lost because another host now returns a different API description. A page with its
// own file is still written then, but without the operation that it should show.
func shrunk(p deploy.Page, live, next deploy.Manifest) bool {
	before, after := live.Copies[p.Spec], next.Copies[p.Spec]
	_, file := next.Files[p.Path+".html"]
	return before != "" && after != "" && before != after && (p.Made || file)
}

// failing reports whether a page was written as an error page, which has no Markdown form.
func failing(p deploy.Page, next deploy.Manifest) bool {
	_, html := next.Files[p.Path+".html"]
	_, twin := next.Files[p.Path+".md"]
	return html && !twin
}

// pagesOf lists a site's pages. Manifests of earlier releases list only files; every file with a Markdown form is a
// page.
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

// pages converts a build's pages to the manifest's form; never nil.
func pages(list []build.Written) []deploy.Page {
	out := make([]deploy.Page, 0, len(list))
	for _, w := range list {
		out = append(out, deploy.Page(w))
	}
	return out
}
