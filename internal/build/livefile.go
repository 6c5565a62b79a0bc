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

// memorySink is a sink that stores files by name.
type memorySink map[string]output.File

// Put implements output.Sink.
func (c memorySink) Put(_ context.Context, f output.File) (err error) {
	f.Data, err = f.Bytes()
	c[f.Path] = f
	return err
}

// Has reports whether Find would return a file. It renders nothing, so it returns false for files that only a Pass
// writes, and for files of a page that has not been rendered yet.
func (l *Live) Has(name string) bool {
	s, done := l.acquire()
	defer done()
	if s == nil || s.site == nil {
		return false
	}
	if page, ok := s.pageOf(name); ok && page != "" {
		return true
	}
	s.mu.Lock()
	_, made := s.files[name]
	s.mu.Unlock()
	return made || s.src.site.FindAsset(name) != nil
}

// pageOf returns the page that a file shows, as HTML or as Markdown.
func (s *state) pageOf(name string) (page string, ok bool) {
	for _, ending := range []string{".html", ".md"} {
		if path, cut := strings.CutSuffix(name, ending); cut {
			switch {
			case s.src.site.Find(path) != nil:
				return path, true
			case path == "index":
				return s.site.addr.home.Path, true
			case ending == ".html" && slices.Contains(s.src.site.Failed, path):
				return path, true
			}
		}
	}
	return "", false
}

// Find renders a file of the site or returns it from memory. ok is false if the file does not exist, or if only a
// Pass writes it.
func (l *Live) Find(ctx context.Context, name string) (f output.File, ok bool, err error) {
	s, done := l.acquire()
	defer done()
	if s == nil || s.site == nil {
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
	if a := s.src.site.FindAsset(name); a != nil {
		f, err := asset.Read(s.src.unrecorded(), *a)
		return f, err == nil, nil // the next Update reports a missing file
	}
	return f, false, nil
}

// page renders a page's files and returns one of them. Files that other pages may share are stored by name.
func (l *Live) page(ctx context.Context, s *state, page, name string) (f output.File, ok bool, err error) {
	files := memorySink{}
	if p := s.src.site.Find(page); p == nil { // its front matter cannot be read
		err = l.write(s, files, func(w *siteWriter) error { return writeUnreadablePages(ctx, w, s.site.pages.layout) })
	} else {
		r := s.known.pages.page(ctx, s.site.pages, p, nil)
		err = l.write(s, files, func(w *siteWriter) error { return l.writePage(ctx, s, w, r, name) })
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

// writePage writes a page's files, and index.html if the request is for it and no page has that path.
func (l *Live) writePage(ctx context.Context, s *state, w *siteWriter, r result, name string) error {
	pages := newPageWriter(w, s.site.pages, l.opt)
	if err := pages.write(ctx, r); err != nil {
		return err
	}
	if slug.Page(name) == r.page.Path || r.page.Path == "index" {
		return nil
	}
	return writeIndex(ctx, w, s.site.pages, s.site.addr.home, pages.entries)
}

// Ready writes the files that all pages share, so that the first request is fast.
func (l *Live) Ready(ctx context.Context) error {
	s, done := l.acquire()
	defer done()
	if s == nil || s.site == nil {
		return nil
	}
	files := memorySink{}
	err := l.write(s, files, func(w *siteWriter) error {
		if err := s.site.writeFrontEnd(ctx, w, l.opt); err != nil {
			return err
		}
		_, err := writeNotFound(ctx, w, s.site, l.opt.frontEnd(), l.opt.Version)
		return err
	})
	if err != nil {
		return fmt.Errorf("prepare site: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, f := range files {
		s.files[name] = f
	}
	return nil
}

// write runs only the given stages of a build. Their files go to out.
func (l *Live) write(s *state, out memorySink, stages func(*siteWriter) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	l.mu.Lock()
	report := &Report{Diagnostics: slices.Clone(s.list)}
	l.mu.Unlock()
	w := newSiteWriter(out, l.opt.Scratch, s.src, report)
	defer w.Close()
	return stages(w)
}

// ErrChanged reports that the folder differs from what the last Update read.
var ErrChanged = errors.New("folder changed since the last update")

// Pass builds the whole site, using and filling the cache of pages. If the folder changed since the last Update, it
// returns ErrChanged; the caller should then call Update soon.
func (l *Live) Pass(ctx context.Context, workers int, out output.Sink) (*Report, error) {
	s, done := l.acquire()
	defer done()
	if s == nil {
		return &Report{}, nil
	}
	opt := l.opt
	opt.Workers = workers
	src, report, err := loadSource(ctx, s.reads, opt, l.memo)
	switch {
	case err != nil:
		return nil, fmt.Errorf("build site: %w", err)
	case src.empty() && s.src.empty():
		return report, nil
	case !reflect.DeepEqual(src.site, s.src.site):
		return nil, ErrChanged
	}
	if err := buildSource(ctx, src, report, opt, s.known, out); err != nil {
		return nil, fmt.Errorf("build site: %w", err)
	}
	return report, nil
}

// IsPage reports whether Find renders the file: a page, its Markdown form, or one of the author's files. The caller of
// Pass does not have to store such a file.
func (l *Live) IsPage(name string) bool {
	s := l.current()
	if s == nil || s.site == nil {
		return false
	}
	_, ok := s.pageOf(name)
	return ok || s.src.site.FindAsset(name) != nil
}
