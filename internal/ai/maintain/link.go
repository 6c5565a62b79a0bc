package maintain

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/write"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// maxRounds limits how often the site is built. One build is not enough, because fixing a link may reveal that its
// anchor is missing.
const maxRounds = 5

// The findings that fixLinks handles.
const (
	brokenLink     = "broken-link"
	brokenImage    = "broken-image"
	brokenAnchor   = "broken-anchor"
	brokenRedirect = "broken-redirect"
	missingPage    = "missing-page"
)

// linkFixer fixes a site's links.
type linkFixer struct {
	*job
	v    *view
	why  map[diag.Pos]string // reasons why a finding was not fixed, by its position
	ids  headings
	only map[string]bool // only fix these files; nil = all
	went bool            // something has changed in this round
}

// fixLinks fixes references until nothing changes any more: each round builds the site and handles the broken links
// that it reports.
func (j *job) fixLinks() error {
	if len(j.task.Moves) > 0 {
		return j.repointLinks()
	}
	m := &linkFixer{job: j}
	if len(j.task.Files) > 0 {
		all, err := load.Sources(j.ctx, j.tree)
		if err != nil {
			return err
		}
		if all, err = j.chosen(append(all, "docs.json", "mint.json")); err != nil {
			return err
		}
		m.only = map[string]bool{}
		for _, f := range all {
			m.only[f] = true
		}
	}
	for range maxRounds {
		if err := m.round(); err != nil {
			return err
		}
		if !m.went || m.full {
			break
		}
	}
	m.rest()
	return nil
}

func (m *linkFixer) round() (err error) {
	m.why, m.went = map[diag.Pos]string{}, false
	if m.v, err = m.buildView(); err != nil {
		return err
	}
	if err := m.siteFile(); err != nil {
		return err
	}
	byFile := map[string][]diag.Diagnostic{}
	for _, d := range m.v.findings {
		if m.about(d) && load.PageOf(d.File) != "" {
			byFile[d.File] = append(byFile[d.File], d)
		}
	}
	var sources []*source
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		if src, ok := m.readQuietly(name); ok {
			sources = append(sources, src)
		}
	}
	if m.ids, err = m.anchors(m.tree, m.targets(sources, byFile)); err != nil {
		return err
	}
	for _, s := range sources {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		if err := m.source(s, byFile[s.name]); err != nil || m.full {
			return err
		}
	}
	return nil
}

// readQuietly reads a source without reporting errors, because the findings already report unreadable files.
func (m *linkFixer) readQuietly(name string) (*source, bool) {
	left := len(m.report.Left)
	defer func() { m.report.Left = m.report.Left[:left] }()
	all, ok := m.read(name)
	if !ok {
		return nil, false
	}
	return m.parse(name, all)
}

// about reports whether the task handles a finding.
func (m *linkFixer) about(d diag.Diagnostic) bool {
	switch d.Code {
	case brokenLink, brokenImage, brokenAnchor, brokenRedirect, missingPage:
		return m.only == nil || m.only[d.File]
	}
	return false
}

// targets returns the target pages of broken anchors.
func (m *linkFixer) targets(sources []*source, byFile map[string][]diag.Diagnostic) (out []string) {
	for _, s := range sources {
		if !slices.ContainsFunc(byFile[s.name], func(d diag.Diagnostic) bool { return d.Code == brokenAnchor }) {
			continue
		}
		for _, r := range s.references() {
			if t := m.resolve(s, r); t.Anchor != "" && t.Page != "" {
				out = append(out, t.Page)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// resolve resolves a reference. References in snippets start from the page that shows the snippet, which can be any
// page.
func (m *linkFixer) resolve(s *source, r reference) link.Target {
	page := m.v.sources[s.name]
	return m.v.table.From(page, page).Resolve(r.dest)
}

// source fixes the references of one page or snippet.
func (m *linkFixer) source(s *source, findings []diag.Diagnostic) error {
	refs := s.references()
	want := m.wanted(s, refs, findings)
	answers := map[reference][2]string{} // looks up each address only once
	var edits []write.Edit
	for _, r := range refs {
		if !want(r) {
			continue
		}
		key := reference{dest: r.dest, image: r.image}
		answer, known := answers[key]
		if !known {
			answer[0], answer[1] = m.fixFor(s, r)
			answers[key] = answer
		}
		to := answer[0]
		if m.why[r.pos] = answer[1]; to == "" || to == r.dest {
			continue
		}
		made := s.redirect(r, to)
		if len(made) == 0 {
			m.why[r.pos] = "it is written in a way that cannot be changed automatically"
			continue
		}
		edits = append(edits, made...)
		m.note(s.name, r.pos.Line, r.dest, to)
	}
	if len(edits) == 0 {
		return nil
	}
	ok, err := m.apply(s, s.head, withoutOverlaps(edits))
	m.went = m.went || ok
	return err
}

// wanted returns a function that reports whether a reference of a source is broken: it has a finding, or the same
// target as a reference with a finding, since the build reports each target only once.
func (m *linkFixer) wanted(s *source, refs []reference, findings []diag.Diagnostic) func(reference) bool {
	reported := map[diag.Pos]string{}
	for _, d := range findings {
		reported[diag.Pos{File: d.File, Line: d.Line, Column: d.Column}] = d.Code
	}
	missing := map[[2]string]bool{}
	for _, r := range refs {
		if t := m.resolve(s, r); reported[r.pos] == brokenAnchor && t.Anchor != "" {
			missing[[2]string{t.Page, t.Anchor}] = true
		}
	}
	return func(r reference) bool {
		t := m.resolve(s, r)
		return reported[r.pos] == brokenLink || reported[r.pos] == brokenImage || missing[[2]string{t.Page, t.Anchor}]
	}
}

// fixFor returns the corrected address of a broken reference, or "" and a reason if it is not certain.
func (m *linkFixer) fixFor(s *source, r reference) (ref, why string) {
	if t := m.resolve(s, r); t.Page != "" && t.Anchor != "" {
		return m.anchor(r, t)
	}
	return m.path(s, r)
}

func (m *linkFixer) note(file string, line int, was, now string) {
	m.done(file, line, "%s → %s", was, now)
}

// path returns the corrected path of a broken reference, or "" and a reason if it is not certain.
func (m *linkFixer) path(s *source, r reference) (ref, why string) {
	body, rest, ok := link.Cut(r.dest)
	if !ok {
		return "", "it is not a path of this site"
	}
	page := m.v.sources[s.name]
	spell := spelling{written: body}
	if page != "" {
		spell.folder = path.Dir(page)
	}
	to, rooted, why := seeker{v: m.v, from: page, folder: path.Dir(s.name), image: r.image}.seek(unescaped(body))
	if why != "" {
		return "", why
	}
	spell.rooted = rooted
	if ref = m.v.write(to, spell) + rest; !m.v.leads(page, ref, to) {
		return "", fmt.Sprintf("/%s is likely, but that address points elsewhere", to.path)
	}
	return ref, ""
}

// rest reports the references that are still broken.
func (m *linkFixer) rest() {
	for _, d := range m.v.findings {
		if !m.about(d) || m.full {
			continue
		}
		why := m.why[diag.Pos{File: d.File, Line: d.Line, Column: d.Column}]
		if why == "" {
			why = "it does not occur as a link or attribute in this file"
		}
		m.left(d.File, d.Line, strings.TrimSuffix(d.Message, "."), why)
	}
}
