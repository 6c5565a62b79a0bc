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

// Live keeps a site ready while its author changes it: it renders pages on request, with the functions of Build, and
// caches them. Pass is Build with that cache. Live does not watch the folder; the caller passes changes to Update. It
// is safe for concurrent use.
type Live struct {
	src fs.FS
	opt Options

	update sync.Mutex // one Update at a time
	mu     sync.Mutex
	state  *state // nil before the first Update
}

// state is the site between two changes that affect more than one page.
type state struct {
	b       *builder // prepared; nil when the site has no page
	reads   *recordingFS
	memo    *pageMemo
	sizes   *imageSizes // nil when the site has no page
	rules   *link.Redirects
	list    diag.List // findings of the scan, replaced by each Update
	broken  bool      // the site file had errors when it was read
	users   sync.WaitGroup
	writing sync.Mutex // serializes stages, which expect one goroutine

	mu    sync.Mutex
	files map[string]output.File // files that do not belong to one page
}

// Change is the result of an Update.
type Change struct {
	Pages    []string // paths of the pages that changed; nil with Whole
	Whole    bool     // every page may have changed
	Assets   bool     // files that pages show, such as images, changed
	Kept     bool     // the site file is invalid, so the site stays as it was
	Findings diag.List
}

// NewLive returns a Live. Options.Tools must be set and outlive it; Options.Paths, Manifest and Progress are ignored.
func NewLive(src fs.FS, opt Options) *Live {
	opt.Paths, opt.Manifest, opt.Progress, opt.ErrorPages = nil, false, nil, true
	opt = opt.withDefaults()
	opt.loadMemo = load.NewMemo()
	return &Live{src: src, opt: opt}
}

// Update reads what changed since the last call: the named files, or everything when changed is nil. It returns an
// error only for failures of the infrastructure, not for mistakes of the author.
func (l *Live) Update(ctx context.Context, changed []string) (Change, error) {
	l.update.Lock()
	defer l.update.Unlock()
	if changed == nil {
		l.opt.loadMemo.Clear()
	} else {
		l.opt.loadMemo.Forget(changed)
	}
	old := l.current()
	next, err := l.read(ctx)
	if err != nil {
		return Change{}, fmt.Errorf("update site: %w", err)
	}
	c := Change{Findings: next.list}
	switch {
	case old == nil, changed == nil, !old.samePages(next, changed):
		c.Kept = old != nil && next.broken && !old.broken
		c.Whole = !c.Kept
	default:
		c.Pages = old.pagesOf(changed)
		c.Assets = slices.ContainsFunc(changed, func(f string) bool { return old.b.src.site.FindAsset(f) != nil })
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
			old.memo.drop(p)
		}
	}
	l.mu.Lock()
	old.list = next.list
	l.mu.Unlock()
	return c, nil
}

// read loads the folder as it is now. The state must be prepared before use.
func (l *Live) read(ctx context.Context) (*state, error) {
	s := &state{reads: newRecordingFS(l.src), memo: newPageMemo(), files: map[string]output.File{}}
	b := l.builder(s, nil)
	ready, err := b.read(ctx, s.reads)
	if err != nil {
		return nil, err
	}
	s.list = b.w.report.Diagnostics
	for _, d := range s.list {
		s.broken = s.broken || d.Severity == diag.Error && slices.Contains(b.src.siteFiles, d.File)
	}
	s.rules = link.NewRedirects(b.src.site.Redirects)
	if ready {
		s.b, s.sizes = b, newImageSizes(l.src, b.src.site)
		b.opt.sizes = s.sizes
	}
	return s, nil
}

// prepare sets up what the pages of the state share.
func (s *state) prepare() error {
	if s.b == nil {
		return nil
	}
	if err := s.b.prepare(); err != nil {
		return err
	}
	s.rules = link.NewRedirects(append(slices.Clip(s.b.src.site.Redirects), s.b.addr.Folders()...))
	return nil
}

// builder returns a builder for this state.
func (l *Live) builder(s *state, out output.Sink) *builder {
	opt := l.opt
	opt.pageMemo, opt.sizes = s.memo, s.sizes
	return &builder{opt: opt, sink: out, tools: opt.Tools}
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

// Close stops running author code and frees the state.
func (l *Live) Close() {
	l.mu.Lock()
	s := l.state
	l.state = nil
	l.mu.Unlock()
	if s != nil {
		s.close()
	}
}

func (l *Live) current() *state {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

// acquire returns the current state, which stays open until the caller calls done. s is nil before the first Update.
func (l *Live) acquire() (s *state, done func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == nil {
		return nil, func() {}
	}
	l.state.users.Add(1)
	return l.state, l.state.users.Done
}

// close waits until no caller uses the state, then frees it.
func (s *state) close() {
	s.users.Wait()
	if s.b != nil {
		s.b.expand.Close()
	}
}

// samePages reports whether pages rendered in this state equal those of next, except for the changed pages themselves.
func (s *state) samePages(next *state, changed []string) bool {
	if s.b == nil || next.b == nil || !reflect.DeepEqual(s.b.src.site, next.b.src.site) {
		return false
	}
	for _, f := range changed {
		if s.reads.affectedBy(f) || mayBeSpec(f) || s.sizes.stale(f) {
			return false
		}
	}
	return true
}

// mayBeSpec reports whether a file may be, or be part of, an API description; the site model does not hold their
// content.
func mayBeSpec(file string) bool {
	ext := strings.ToLower(path.Ext(file))
	return ext == ".json" || ext == ".yaml" || ext == ".yml"
}

// pagesOf returns the pages of the site among the changed files.
func (s *state) pagesOf(changed []string) (out []string) {
	for _, f := range changed {
		if p := load.PageOf(f); p != "" && (s.b.src.site.Find(p) != nil || slices.Contains(s.b.src.site.Failed, p)) {
			out = append(out, p)
		}
	}
	return out
}
