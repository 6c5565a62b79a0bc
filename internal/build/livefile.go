package build

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// memorySink is a sink that keeps files by name.
type memorySink map[string]output.File

// Put implements output.Sink.
func (c memorySink) Put(_ context.Context, f output.File) (err error) {
	f.Data, err = f.Bytes()
	c[f.Path] = f
	return err
}

// Has reports whether Find would find a file. It renders nothing, so it does not know files that only a Pass writes,
// nor files that belong to one page before that page is rendered.
func (l *Live) Has(name string) bool {
	s, done := l.acquire()
	defer done()
	if s == nil || s.b == nil {
		return false
	}
	if page, ok := s.pageOf(name); ok && page != "" {
		return true
	}
	s.mu.Lock()
	_, made := s.files[name]
	s.mu.Unlock()
	return made || s.b.src.site.FindAsset(name) != nil
}

// pageOf returns the page that a file shows, as HTML or as Markdown.
func (s *state) pageOf(name string) (page string, ok bool) {
	for _, ending := range []string{".html", ".md"} {
		if path, cut := strings.CutSuffix(name, ending); cut {
			switch {
			case s.b.src.site.Find(path) != nil:
				return path, true
			case path == "index":
				return s.b.addr.home.Path, true
			case ending == ".html" && slices.Contains(s.b.src.site.Failed, path):
				return path, true
			}
		}
	}
	return "", false
}

// Find renders a file of the site or returns it from memory; ok is false when there is none, or when only a Pass writes
// it.
func (l *Live) Find(ctx context.Context, name string) (f output.File, ok bool, err error) {
	s, done := l.acquire()
	defer done()
	if s == nil || s.b == nil {
		return f, false, nil
	}
	if page, is := s.pageOf(name); is {
		return l.page(ctx, s, page, name)
	}
	s.mu.Lock()
	f, ok = s.files[name]
	s.mu.Unlock()
	if ok {
		return f, true, nil
	}
	if a := s.b.src.site.FindAsset(name); a != nil {
		f, err := asset.Read(s.b.src.unrecorded(), *a)
		return f, err == nil, nil // the next Update reports a file that is gone
	}
	return f, false, nil
}

// page renders a page's files and returns one of them. Files that other pages may share are kept by name.
func (l *Live) page(ctx context.Context, s *state, page, name string) (f output.File, ok bool, err error) {
	files := memorySink{}
	p := s.b.src.site.Find(page)
	if p == nil { // its front matter cannot be read
		err = l.stages(ctx, s, files, func(b *builder) []stage { return []stage{b.writeUnreadablePages} })
	} else {
		r := s.memo.page(ctx, s.b.pages, p)
		err = l.stages(ctx, s, files, func(b *builder) []stage {
			return []stage{func(ctx context.Context) error { return b.writePage(ctx, r) }, b.writeIndexFor(page, name)}
		})
	}
	if err != nil {
		return f, false, fmt.Errorf("render page: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, f := range files {
		if strings.HasPrefix(name, asset.Folder+"/") {
			s.files[name] = f
		}
	}
	f, ok = files[name]
	return f, ok, nil
}

// writeIndexFor writes index.html when the request is for it and no page has that path.
func (b *builder) writeIndexFor(page, name string) stage {
	if slug.Page(name) == page || page == "index" {
		return func(context.Context) error { return nil }
	}
	return b.writeIndex
}

// Ready writes what all pages share, so that the first request is fast.
func (l *Live) Ready(ctx context.Context) error {
	s, done := l.acquire()
	defer done()
	if s == nil || s.b == nil {
		return nil
	}
	files := memorySink{}
	if err := l.stages(ctx, s, files, func(b *builder) []stage { return append(b.stagesBeforePages(), b.writeNotFound) }); err != nil {
		return fmt.Errorf("prepare site: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, f := range files {
		s.files[name] = f
	}
	return nil
}

// stages runs selected stages of a build on their own.
func (l *Live) stages(ctx context.Context, s *state, out memorySink, choose func(*builder) []stage) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	l.mu.Lock()
	report := &Report{Diagnostics: slices.Clone(s.list)}
	l.mu.Unlock()
	b := *s.b
	b.w, b.entries = newSiteWriter(out, l.opt.Scratch, s.b.src, report), nil
	defer b.w.Close()
	for _, stage := range choose(&b) {
		if err := stage(ctx); err != nil {
			return err
		}
	}
	return nil
}

// ErrChanged reports that the folder differs from what the last Update read.
var ErrChanged = errors.New("folder changed since the last update")

// Pass builds the whole site, using and filling the cache of pages. If the folder changed since the last Update, it
// returns ErrChanged; the caller is expected to call Update soon.
func (l *Live) Pass(ctx context.Context, workers int, out output.Sink) (*Report, error) {
	s, done := l.acquire()
	defer done()
	if s == nil {
		return &Report{}, nil
	}
	b := l.builder(s, out)
	b.opt.Workers = workers
	ready, err := b.load(ctx, s.reads)
	if err != nil {
		return nil, fmt.Errorf("build site: %w", err)
	}
	if !ready || s.b == nil || !reflect.DeepEqual(b.src.site, s.b.src.site) {
		if ready {
			b.expand.Close()
		}
		if !ready && s.b == nil {
			return b.w.report, nil
		}
		return nil, ErrChanged
	}
	if err := b.build(ctx); err != nil {
		return nil, fmt.Errorf("build site: %w", err)
	}
	return b.w.report, nil
}

// IsPage reports whether Find renders the file: a page, its Markdown form, or a file of the author's. The caller of
// Pass need not keep it.
func (l *Live) IsPage(name string) bool {
	s := l.current()
	if s == nil || s.b == nil {
		return false
	}
	_, ok := s.pageOf(name)
	return ok || s.b.src.site.FindAsset(name) != nil
}
