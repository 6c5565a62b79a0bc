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

// collect is a sink that keeps files by name.
type collect map[string]output.File

// Put implements output.Sink.
func (c collect) Put(_ context.Context, f output.File) (err error) {
	f.Data, err = f.Bytes()
	c[f.Path] = f
	return err
}

// Has tells whether Find would find a file. It makes nothing, so files that only a Pass writes are not known here, nor are files that
// belong to one page before that page was made.
func (l *Live) Has(name string) bool {
	s, done := l.use()
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
	return made || s.b.site.FindAsset(name) != nil
}

// pageOf is the page that a file shows, as HTML or as Markdown.
func (s *state) pageOf(name string) (page string, ok bool) {
	for _, ending := range []string{".html", ".md"} {
		if path, cut := strings.CutSuffix(name, ending); cut {
			switch {
			case s.b.site.Find(path) != nil:
				return path, true
			case path == "index":
				return s.b.home.Path, true
			case ending == ".html" && slices.Contains(s.b.site.Failed, path):
				return path, true
			}
		}
	}
	return "", false
}

// Find makes a file of the site, or remembers it; ok is false when there is none, or when only a Pass makes it.
func (l *Live) Find(ctx context.Context, name string) (f output.File, ok bool, err error) {
	s, done := l.use()
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
	if a := s.b.site.FindAsset(name); a != nil {
		f, err := asset.Read(unwatched(s.b.src), *a)
		return f, err == nil, nil // one that is gone is told by the next Update
	}
	return f, false, nil
}

// page makes a page's files and returns one of them. Those that other pages may share are kept by name.
func (l *Live) page(ctx context.Context, s *state, page, name string) (f output.File, ok bool, err error) {
	files := collect{}
	p := s.b.site.Find(page)
	if p == nil { // its head cannot be read
		err = l.stages(ctx, s, files, func(b *builder) []stage { return []stage{b.unread} })
	} else {
		r := s.made.page(ctx, s.b, p)
		err = l.stages(ctx, s, files, func(b *builder) []stage {
			return []stage{func(ctx context.Context) error { return b.write(ctx, r) }, b.indexOf(page, name)}
		})
	}
	if err != nil {
		return f, false, fmt.Errorf("make page: %w", err)
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

// indexOf writes index.html when that is what was asked for and no page has that path.
func (b *builder) indexOf(page, name string) stage {
	if slug.Page(name) == page || page == "index" {
		return func(context.Context) error { return nil }
	}
	return b.index
}

// Ready makes what all pages share, so that the first page is quick.
func (l *Live) Ready(ctx context.Context) error {
	s, done := l.use()
	defer done()
	if s == nil || s.b == nil {
		return nil
	}
	files := collect{}
	if err := l.stages(ctx, s, files, func(b *builder) []stage { return append(b.before(), b.notFound) }); err != nil {
		return fmt.Errorf("make site: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, f := range files {
		s.files[name] = f
	}
	return nil
}

// stages runs some stages of a build on their own.
func (l *Live) stages(ctx context.Context, s *state, out collect, choose func(*builder) []stage) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	b := *s.b
	fresh := l.builder(s, out)
	b.out, b.report, b.told, b.entries, b.capped = fresh.out, fresh.report, fresh.told, nil, false
	defer b.out.Close()
	l.mu.Lock()
	b.report.Diagnostics = append(b.report.Diagnostics, s.list...)
	l.mu.Unlock()
	for _, stage := range choose(&b) {
		if err := stage(ctx); err != nil {
			return err
		}
	}
	return nil
}

// ErrChanged says that the folder is no longer what the last Update read.
var ErrChanged = errors.New("the folder has changed")

// Pass builds the whole site with what is remembered, and remembers what it makes. When the folder changed under it, which an Update
// will be told soon, it gives up with ErrChanged.
func (l *Live) Pass(ctx context.Context, workers int, out output.Sink) (*Report, error) {
	s, done := l.use()
	defer done()
	if s == nil {
		return &Report{}, nil
	}
	b := l.builder(s, out)
	b.opt.Workers = workers
	ready, err := b.load(ctx)
	if err != nil {
		return nil, fmt.Errorf("build site: %w", err)
	}
	if !ready || s.b == nil || !reflect.DeepEqual(b.site, s.b.site) {
		if ready {
			b.expand.Close()
		}
		if !ready && s.b == nil {
			return b.report, nil
		}
		return nil, ErrChanged
	}
	if err := b.build(ctx); err != nil {
		return nil, fmt.Errorf("build site: %w", err)
	}
	return b.report, nil
}

// IsPage tells whether a file is one that Find makes: a page, its Markdown form, or a file of the author's. A Pass need not keep it.
func (l *Live) IsPage(name string) bool {
	s := l.now()
	if s == nil || s.b == nil {
		return false
	}
	_, ok := s.pageOf(name)
	return ok || s.b.site.FindAsset(name) != nil
}
