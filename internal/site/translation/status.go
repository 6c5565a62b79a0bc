package translation

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/docsjson"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// State is the state of a translation relative to its source.
type State string

const (
	Current  State = "current"  // the translation was made from the current source
	Stale    State = "stale"    // the source has changed since the translation was made
	Unmarked State = "unmarked" // the translation has no mark of its source
	Missing  State = "missing"  // there is no translation
)

// maxPage limits the source of one page, in bytes. The build reports larger pages.
const maxPage = 8 << 20

// Status is the state of a translation.
type Status struct {
	Pair
	State State
	Mark  string // mark of the current source

	source, page document // page is empty if the translation is missing
}

// Claim returns the mark in the translation, or "" if there is none.
func (s *Status) Claim() string { return s.page.Fields.TranslatedFrom }

// document is a page as it was read from its file.
type document struct {
	frontmatter.Page
	raw []byte
}

// Set holds the translations of a site and its glossary.
type Set struct {
	List     []Status
	Terms    []Term    // from the glossary
	Findings diag.List // findings about the glossary

	sources map[string]map[string]string // language → path of a translation → path of its source
}

// Load reads a docs folder and determines the state of every translation. It skips pages that cannot be read; the build
// reports them.
func Load(ctx context.Context, src fs.FS) (*Set, error) {
	t, pairs, err := open(ctx, src)
	if err != nil {
		return nil, err
	}
	err = each(ctx, src, pairs, func(s Status) { t.List = append(t.List, s) })
	return t, err
}

// Each determines the state of every translation like Load, but keeps only one page in memory at a time.
func Each(ctx context.Context, src fs.FS, visit func(Status)) error {
	_, pairs, err := open(ctx, src)
	if err != nil {
		return err
	}
	return each(ctx, src, pairs, visit)
}

// open finds the existing and missing translations in a docs folder, without determining their states.
func open(ctx context.Context, src fs.FS) (*Set, []Pair, error) {
	t := &Set{sources: map[string]map[string]string{}}
	cfg, _ := docsjson.Load(src)
	several := false
	site.Walk(cfg.Nav, func(n *site.Node) bool {
		several = several || n.Kind == site.KindLanguage
		return !several
	})
	if !several { // for most sites, the pages do not have to be read
		return t, nil, nil
	}
	options := load.Options{Workers: 4, Author: true}
	loaded, _, err := load.Load(ctx, src, options)
	if err == nil && len(loaded.Groups) > 0 { // restricted pages have translations too
		options.View = reader.New(loaded.Groups...)
		loaded, _, err = load.Load(ctx, src, options)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read site: %w", err)
	}
	pairs := Find(loaded.Site)
	for _, p := range pairs {
		if t.sources[p.Language] == nil {
			t.sources[p.Language] = map[string]string{}
		}
		t.sources[p.Language][p.Path] = p.Source.Path
	}
	if len(pairs) > 0 {
		t.Terms, t.Findings = loadGlossary(src)
	}
	return t, pairs, nil
}

func each(ctx context.Context, src fs.FS, pairs []Pair, visit func(Status)) error {
	for _, p := range pairs {
		if err := ctx.Err(); err != nil {
			return err
		}
		one := Status{Pair: p, State: Missing}
		var ok bool
		if one.source, ok = read(src, p.Source.File); !ok {
			continue
		}
		one.Mark = Mark(one.source.Page)
		if p.Page != nil {
			if one.page, ok = read(src, p.Page.File); !ok {
				continue
			}
			one.State = compareMarks(one.page.Fields.TranslatedFrom, one.Mark)
		}
		visit(one)
	}
	return nil
}

func compareMarks(have, want string) State {
	switch have {
	case "":
		return Unmarked
	case want:
		return Current
	}
	return Stale
}

func read(src fs.FS, file string) (d document, ok bool) {
	raw, err := safefile.Read(src, file, maxPage)
	if err != nil || len(raw) > maxPage {
		return d, false
	}
	page, list := frontmatter.Parse(file, raw)
	return document{page, raw}, !list.HasErrors()
}

// Check returns findings about the glossary and about translations that have a mark: whether they are stale or, if not,
// how they differ from their source. If base is not nil, it skips a translation if both the translation and its source
// are the same in base.
func Check(ctx context.Context, src, base fs.FS) (diag.List, error) {
	t, pairs, err := open(ctx, src)
	if err != nil {
		return nil, err
	}
	list := t.Findings
	err = each(ctx, src, pairs, func(s Status) {
		switch {
		case s.State == Missing || s.State == Unmarked || base != nil && s.sameIn(base):
		case s.State == Current:
			list = append(list, t.Compare(s)...)
		default:
			list.Warnf(s.markPos(), "translation-stale", "%s changed after this page was translated from it.", s.Source.File)
			list.Hint("Translate what changed, then run lectern translations with --mark " + s.Path + ".")
		}
	})
	list.Sort()
	return list, err
}

// sameIn reports whether the source and the translation have the same content in another folder.
func (s *Status) sameIn(base fs.FS) bool {
	for file, now := range map[string][]byte{s.Source.File: s.source.raw, s.Page.File: s.page.raw} {
		if before, err := safefile.Read(base, file, maxPage); err != nil || !bytes.Equal(before, now) {
			return false
		}
	}
	return true
}

// markPos returns the position of the mark in the translation.
func (s *Status) markPos() diag.Pos {
	line := 0
	for text := range bytes.Lines(s.page.raw) {
		if line++; bytes.HasPrefix(text, []byte(Key)) {
			return diag.Pos{File: s.Page.File, Line: line, Column: 1}
		}
		if line >= s.page.BodyLine {
			break
		}
	}
	return diag.Pos{File: s.Page.File, Line: 1, Column: 1}
}
