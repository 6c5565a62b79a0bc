package build

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/load"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// Live is a site kept ready while its author changes it: pages are made when they are asked for, by the functions of Build, and
// remembered. Pass is Build itself with that memory. It does not watch the folder; Update is told. It is safe for concurrent use.
type Live struct {
	src fs.FS
	opt Options

	update sync.Mutex // one Update at a time
	mu     sync.Mutex
	state  *state // nil before the first Update
}

// state is the site between two changes that matter to more than one page.
type state struct {
	b       *builder // prepared; nil when the site has no page
	asked   *askedFS
	made    *pageMemo
	sizes   *imageSizes // nil when the site has no page
	rules   *link.Redirects
	list    diag.List // of the scan, replaced at each Update
	broken  bool      // the site file had errors when it was read
	using   sync.WaitGroup
	writing sync.Mutex // the builder's stages are made for one goroutine

	mu    sync.Mutex
	files map[string]output.File // made without the pages
}

// Change is what an Update found.
type Change struct {
	Pages    []string // paths of the pages that look different; nil with Whole
	Whole    bool     // every page may
	Assets   bool     // files that pages show, such as images, changed
	Kept     bool     // the site file cannot be used, so the site stays as it was
	Findings diag.List
}

// NewLive makes a Live. Options.Tools must be set, and outlive it; Options.Paths, Manifest and Progress have no meaning here.
func NewLive(src fs.FS, opt Options) *Live {
	opt.Paths, opt.Manifest, opt.Progress, opt.ErrorPages = nil, false, func(Progress) {}, true
	opt.heads = load.NewMemo()
	return &Live{src: src, opt: opt}
}

// Update reads what changed since the last: the named files, or, with nil, any. The error is for infrastructure only.
func (l *Live) Update(ctx context.Context, changed []string) (Change, error) {
	l.update.Lock()
	defer l.update.Unlock()
	if changed == nil {
		l.opt.heads.Clear()
	} else {
		l.opt.heads.Forget(changed)
	}
	old := l.now()
	next, err := l.read(ctx)
	if err != nil {
		return Change{}, fmt.Errorf("update site: %w", err)
	}
	c := Change{Findings: next.list}
	switch {
	case old == nil, changed == nil, !old.same(next, changed):
		c.Kept = old != nil && next.broken && !old.broken
		c.Whole = !c.Kept
	default:
		c.Pages = old.pagesOf(changed)
		c.Assets = slices.ContainsFunc(changed, func(f string) bool { return old.b.site.FindAsset(f) != nil })
	}
	if c.Whole {
		if err := next.prepare(); err != nil {
			return Change{}, fmt.Errorf("update site: %w", err)
		}
		l.replace(next)
		return c, nil
	}
	for _, f := range changed {
		if p := load.PageOf(f); p != "" {
			old.made.drop(p)
		}
	}
	l.mu.Lock()
	old.list = next.list
	l.mu.Unlock()
	return c, nil
}

// read makes a state of the folder as it is. It must be prepared before it is used.
func (l *Live) read(ctx context.Context) (*state, error) {
	s := &state{asked: newAskedFS(l.src), made: newPageMemo(), files: map[string]output.File{}}
	b := l.builder(s, nil)
	ready, err := b.read(ctx)
	if err != nil {
		return nil, err
	}
	s.list = b.report.Diagnostics
	for _, d := range s.list {
		s.broken = s.broken || d.Severity == diag.Error && slices.Contains(b.siteFiles, d.File)
	}
	s.rules = link.NewRedirects(b.site.Redirects)
	if ready {
		s.b, s.sizes = b, newImageSizes(l.src, b.site)
		b.opt.sizes = s.sizes
	}
	return s, nil
}

// prepare makes what the pages of the state share.
func (s *state) prepare() error {
	if s.b == nil {
		return nil
	}
	if err := s.b.prepare(); err != nil {
		return err
	}
	s.rules = link.NewRedirects(append(slices.Clip(s.b.site.Redirects), s.b.table.Folders()...))
	return nil
}

// builder makes one for this state.
func (l *Live) builder(s *state, out output.Sink) *builder {
	opt := l.opt
	opt.made, opt.sizes = s.made, s.sizes
	return &builder{src: s.asked, opt: opt, out: output.NewLedger(out, opt.Scratch), report: &Report{}, tools: opt.Tools, told: map[diag.Diagnostic]bool{}}
}

func (l *Live) replace(next *state) {
	l.mu.Lock()
	old := l.state
	l.state = next
	l.mu.Unlock()
	if old != nil {
		go old.close()
	}
}

// Close ends what runs author code.
func (l *Live) Close() {
	l.mu.Lock()
	s := l.state
	l.state = nil
	l.mu.Unlock()
	if s != nil {
		s.close()
	}
}

func (l *Live) now() *state {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

// use takes the state for a while; it is not closed before done is called. s is nil before the first Update.
func (l *Live) use() (s *state, done func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == nil {
		return nil, func() {}
	}
	l.state.using.Add(1)
	return l.state, l.state.using.Done
}

// close waits for those who use the state.
func (s *state) close() {
	s.using.Wait()
	if s.b != nil {
		s.b.expand.Close()
	}
}

// same tells whether pages made in this state are as those of next would be, but for the changed pages themselves.
func (s *state) same(next *state, changed []string) bool {
	if s.b == nil || next.b == nil || !reflect.DeepEqual(s.b.site, next.b.site) {
		return false
	}
	for _, f := range changed {
		if s.asked.has(f) || describes(f) || s.sizes.stale(f) {
			return false
		}
	}
	return true
}

// describes tells files that may be, or be part of, an API description: what they say is not in the site's model.
func describes(file string) bool {
	ext := strings.ToLower(path.Ext(file))
	return ext == ".json" || ext == ".yaml" || ext == ".yml"
}

// pagesOf are the pages of the site among changed files.
func (s *state) pagesOf(changed []string) (out []string) {
	for _, f := range changed {
		if p := load.PageOf(f); p != "" && (s.b.site.Find(p) != nil || slices.Contains(s.b.site.Failed, p)) {
			out = append(out, p)
		}
	}
	return out
}
