package maintain

import (
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/rename"
)

// addRedirects adds redirects from old addresses of pages to the new ones: for the moves in the task, or for the
// addresses that the site file still uses although the page has moved.
func (j *job) addRedirects() error {
	v, err := j.load()
	if err != nil {
		return err
	}
	if len(v.files) == 0 {
		j.left("docs.json", 0, "", "there is no site file for redirects")
		return nil
	}
	var moves []rename.Move
	if len(j.task.Moves) > 0 {
		moves = j.given(v)
	} else if moves, err = j.gone(v); err != nil {
		return err
	}
	if len(moves) == 0 {
		return nil
	}
	plan, err := rename.Repair(j.ctx, j.tree, moves)
	if err != nil {
		return err
	}
	for _, e := range plan.Edits {
		if ok, err := j.write(e.File, e.Before, e.After); err != nil || !ok {
			return err
		}
	}
	if len(plan.Edits) > 0 {
		for _, m := range moves {
			j.done(v.site.File, 0, "/%s → /%s", m.From, m.To)
		}
	}
	j.dangling(v, moves)
	return nil
}

// dangling reports navigation entries with an old path whose page already has another entry.
func (j *job) dangling(v *view, moves []rename.Move) {
	listed, old := v.listed(), map[string]bool{}
	for _, m := range moves {
		old[m.From] = listed[m.To]
	}
	for _, f := range j.openSite(v.files) {
		eachText(f.Root, "", []string{"redirects", "$ref", "variables"}, func(t *jsontree.Value, key string) {
			if name, ok := slug.Clean(t.Str); ok && isPageKey(key) && old[name] {
				j.left(f.Name, int(t.Line), "navigation still names "+t.Str,
					"its page has its own entry; remove this one")
			}
		})
	}
}

// given checks the task's moves and returns them page by page: the move of a folder becomes the moves of its pages.
func (j *job) given(v *view) (out []rename.Move) {
	seen := map[string]bool{}
	for _, m := range j.task.Moves {
		from, ok := slug.Clean(m.From)
		to, fine := slug.Clean(m.To)
		what := m.From + " → " + m.To
		if !ok || !fine || link.Wildcard(from) || link.Wildcard(to) || strings.ContainsAny(from+to, "?#:\\") {
			j.left(v.site.File, 0, what, "these are not page paths")
			continue
		}
		pairs := v.pairs(from, to)
		if len(pairs) == 0 {
			j.left(v.site.File, 0, what, "there is no page /"+to)
		}
		for _, p := range pairs {
			if why := v.refuses(p); why != "" {
				j.left(v.site.File, 0, what, why)
			} else if !seen[p.From] && !v.leads("index", escaped("/"+p.From), place{p.To, true}) {
				seen[p.From] = true
				out = append(out, p)
			}
		}
	}
	return out
}

// pairs returns the moves of single pages that a move consists of: one for a page, or one for each page in a folder.
func (v *view) pairs(from, to string) (out []rename.Move) {
	for _, page := range []string{to, to + "/index"} {
		if v.site.Find(page) != nil {
			return []rename.Move{{From: from, To: page}}
		}
	}
	for _, p := range v.site.Pages {
		if rest, ok := strings.CutPrefix(p.Path, to+"/"); ok && p.File != "" && len(out) < maxMoves {
			out = append(out, rename.Move{From: path.Join(from, rest), To: p.Path})
		}
	}
	return out
}

// refuses returns the reason why a redirect would not work, or "" if it would.
func (v *view) refuses(m rename.Move) string {
	switch {
	case m.From == m.To || m.From == "index":
		return "a page cannot redirect to itself, and the home page always exists"
	case v.has(m.From):
		return "the page /" + m.From + " still exists, and pages take precedence over redirects"
	}
	return ""
}

// gone finds pages that have moved away from the paths in the site file. It looks for navigation entries for which a
// page with the same name exists elsewhere without an entry, and for redirects to such paths. It fixes them
// immediately.
func (j *job) gone(v *view) (out []rename.Move, err error) {
	m := &linkFixer{job: j, v: v, why: map[diag.Pos]string{}}
	v.findings = append(v.findings, v.table.CheckRedirects(v.site.Redirects)...)
	files := j.openSite(v.files)
	taken := v.listed()
	for _, f := range files {
		eachText(f.Root, "", []string{"redirects", "$ref", "variables"}, func(t *jsontree.Value, key string) {
			name, ok := slug.Clean(t.Str)
			if !isPageKey(key) || !ok || strings.ContainsAny(t.Str, " :") || v.has(name) || taken[name] {
				return
			}
			found := seeker{v: v, pages: true, skip: taken, folder: "."}.moved(name)
			to, _, why := place{}, false, "no page with its name is missing from the navigation"
			if len(found) > 0 {
				to, _, why = one(found, true)
			}
			if m.why[t.Pos()] = why; why == "" {
				taken[to.path], taken[name] = true, true
				out = append(out, rename.Move{From: name, To: to.path})
			}
		})
		m.rules(f, f.Root)
	}
	if _, err := j.closeSite(files); err != nil {
		return nil, err
	}
	j.unsettled(m)
	return out, nil
}

// unsettled reports the entries and redirects whose target still does not exist.
func (j *job) unsettled(m *linkFixer) {
	fixed := map[diag.Pos]bool{}
	for _, d := range j.report.Done {
		fixed[diag.Pos{File: d.File, Line: d.Line}] = true
	}
	for _, d := range m.v.findings {
		why := m.why[diag.Pos{File: d.File, Line: d.Line, Column: d.Column}]
		if (d.Code == missingPage || d.Code == brokenRedirect) && why != "" &&
			!fixed[diag.Pos{File: d.File, Line: d.Line}] {
			j.left(d.File, d.Line, strings.TrimSuffix(d.Message, "."), why)
		}
	}
}
