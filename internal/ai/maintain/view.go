package maintain

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/render/pagetext"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/load"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// view is the site in the draft's current state, with its findings.
type view struct {
	site     *site.Site
	files    []string // the site file and its parts
	withheld []string // pages that exist but are not published
	table    *link.Table
	rules    *link.Redirects
	findings diag.List
	sources  map[string]string   // file → path of its page
	folded   map[string][]string // lower-case path without index → pages
	bases    map[string][]string // lower-case last path element → pages
	assets   map[string][]string // lower-case path → assets
	stems    map[string][]string // lower-case path without extension → assets
	guesses  int                 // comparisons of paths left before the limit
}

// maxGuesses limits the number of path comparisons (broken links times pages) for one view of the site. They take a
// fraction of a second.
const maxGuesses = 20_000_000

// nowhere is a sink that discards everything.
type nowhere struct{}

func (nowhere) Put(context.Context, output.File) error { return nil }

// load reads the site without building it, so that there are no findings.
func (j *job) load() (*view, error) {
	loaded, list, err := load.Load(j.ctx, j.tree, load.Options{Workers: 4, Author: true})
	if err != nil {
		return nil, fmt.Errorf("read site: %w", err)
	}
	s := loaded.Site
	v := &view{
		site: s, files: loaded.Files, withheld: loaded.Withheld, findings: list,
		rules: link.NewRedirects(s.Redirects), table: link.New(s, link.Clean, "", home(s)),
		sources: map[string]string{}, folded: map[string][]string{}, bases: map[string][]string{},
		assets: map[string][]string{}, stems: map[string][]string{}, guesses: maxGuesses,
	}
	for _, p := range s.Pages {
		if p.File != "" {
			v.sources[p.File] = p.Path
		}
		add(v.folded, trimIndex(p.Path), p.Path)
		add(v.bases, path.Base(trimIndex(p.Path)), p.Path)
	}
	for _, a := range s.Assets {
		add(v.assets, a.Path, a.Path)
		add(v.stems, strings.TrimSuffix(a.Path, path.Ext(a.Path)), a.Path)
	}
	return v, nil
}

// buildView reads and builds the site.
func (j *job) buildView() (*view, error) {
	v, err := j.load()
	if err != nil {
		return nil, err
	}
	report, err := j.task.Build(j.ctx, j.tree, false, nowhere{})
	if err != nil {
		return nil, err
	}
	v.findings = report.Diagnostics
	return v, nil
}

func add(m map[string][]string, key, value string) {
	key = strings.ToLower(key)
	m[key] = append(m[key], value)
}

func trimIndex(page string) string { return strings.TrimSuffix(page, "/index") }

// home returns the page that the build puts at the site's root.
func home(s *site.Site) string {
	if s.Find("index") != nil || len(s.Pages) == 0 {
		return "index"
	}
	for _, n := range s.Nav {
		if p := s.Find(n.First()); p != nil {
			return p.Path
		}
	}
	return s.Pages[0].Path
}

// headings maps pages to the ids that others may refer to, in page order.
type headings map[string][]string

// Put implements output.Sink.
func (h headings) Put(_ context.Context, f output.File) error {
	page, ok := strings.CutSuffix(f.Path, ".html")
	if _, wanted := h[page]; !ok || !wanted {
		return nil
	}
	data, err := f.Bytes()
	if err != nil {
		return err
	}
	_, content, _ := strings.Cut(string(data), `<article class="content"`)
	seen := map[string]bool{}
	for _, s := range pagetext.Sections([]byte("<div" + content)) {
		if s.Anchor != "" && !s.More && !seen[s.Anchor] {
			seen[s.Anchor] = true
			h[page] = append(h[page], s.Anchor)
		}
	}
	return nil
}

// anchors returns the ids on the given pages, by building the site.
func (j *job) anchors(src fs.FS, pages []string) (headings, error) {
	h := headings{}
	if len(pages) == 0 {
		return h, nil
	}
	for _, p := range pages {
		h[p] = nil
	}
	_, err := j.task.Build(j.ctx, src, false, h)
	return h, err
}
