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

// Live keeps a site up to date while its author changes it: it renders pages on request, with the functions that Build
// uses, and caches them. Pass does the same as Build, using that cache. Live does not watch the folder; the caller
// passes changes to Update. It is safe for concurrent use.
type Live struct {
	src  fs.FS
	opt  Options
	memo *load.Memo // results of reading in Update

	update sync.Mutex // one Update at a time
	mu     sync.Mutex
	state  *state // nil before the first Update
}

// state is the site between two changes that affect more than one page.
type state struct {
	src     *source
	site    *preparedSite // nil before prepare, and if the site has no page
	reads   *recordingFS
	known   remembered
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
	Pages    []string // paths of the pages that changed; nil if Whole is set
	Whole    bool     // every page may have changed
	Assets   bool     // files that pages show, such as images, changed
	Kept     bool     // the site file is invalid, so the site did not change
	Findings diag.List
}

// NewLive returns a Live. Options.Tools must be set and must outlive it; Options.Paths, Manifest and Progress are
// ignored.
func NewLive(src fs.FS, opt Options) *Live {
	opt.Paths, opt.Manifest, opt.Progress, opt.ErrorPages = nil, false, nil, true
	return &Live{src: src, opt: opt.withDefaults(), memo: load.NewMemo()}
}

// Update reads the changes since the last call: the named files, or everything if changed is nil. It returns an error
// only if the infrastructure fails, not for the author's mistakes.
func (l *Live) Update(ctx context.Context, changed []string) (Change, error) {
	l.update.Lock()
	defer l.update.Unlock()
	if changed == nil {
		l.memo.Clear()
	} else {
		l.memo.Forget(changed)
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
		c.Assets = slices.ContainsFunc(changed, func(f string) bool { return old.src.site.FindAsset(f) != nil })
	}
	if c.Whole {
		if err := next.prepare(l.opt); err != nil {
			return Change{}, fmt.Errorf("update site: %w", err)
		}
		l.replace(next)
		return c, nil
	}
	for _, f := range changed {
		if p := load.PageOf(f); p != "" {
			old.known.pages.drop(p)
		}
	}
	l.mu.Lock()
	old.list = next.list
	l.mu.Unlock()
	return c, nil
}

// read loads the folder as it is now. The state must be prepared before use.
func (l *Live) read(ctx context.Context) (*state, error) {
	s := &state{reads: newRecordingFS(l.src), files: map[string]output.File{}}
	src, report, err := loadSource(ctx, s.reads, l.opt, l.memo)
	if err != nil {
		return nil, err
	}
	s.src, s.list = src, report.Diagnostics
	for _, d := range s.list {
		s.broken = s.broken || d.Severity == diag.Error && slices.Contains(src.siteFiles, d.File)
	}
	s.rules = link.NewRedirects(src.site.Redirects)
	s.known = remembered{pages: newPageMemo(), sizes: newImageSizes(l.src, src.site)}
	return s, nil
}

// prepare creates the data that the pages of the state share.
func (s *state) prepare(opt Options) (err error) {
	if s.src.empty() {
		return nil
	}
	if s.site, err = prepare(s.src, opt, nil, s.known.sizes); err != nil {
		return err
	}
	s.rules = link.NewRedirects(append(slices.Clip(s.src.site.Redirects), s.site.addr.Folders()...))
	return nil
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

// acquire returns the current state, which stays open until the caller calls done. s is nil before the first
// Update.
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
	if s.site != nil {
		s.site.close()
	}
}

// samePages reports whether pages rendered in this state equal those of next, except for the changed pages themselves.
func (s *state) samePages(next *state, changed []string) bool {
	if s.src.empty() || next.src.empty() || !reflect.DeepEqual(s.src.site, next.src.site) {
		return false
	}
	for _, f := range changed {
		if s.reads.affectedBy(f) || mayBeSpec(f) || s.known.sizes.stale(f) {
			return false
		}
	}
	return true
}

// mayBeSpec reports whether a file may be, or be part of, an API description. The site model does not contain the
// content of such files.
func mayBeSpec(file string) bool {
	ext := strings.ToLower(path.Ext(file))
	return ext == ".json" || ext == ".yaml" || ext == ".yml"
}

// pagesOf returns the pages of the site among the changed files.
func (s *state) pagesOf(changed []string) (out []string) {
	for _, f := range changed {
		if p := load.PageOf(f); p != "" && (s.src.site.Find(p) != nil || slices.Contains(s.src.site.Failed, p)) {
			out = append(out, p)
		}
	}
	return out
}
