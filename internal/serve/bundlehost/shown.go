package bundlehost

import (
	"io"
	"sync"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/csp"
	"github.com/lectern-docs/lectern/internal/jobs/bundlestore"
	"github.com/lectern-docs/lectern/internal/serve/httpfile"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/route"
)

// shown is a version with the number of requests that use it. It is closed when it has been replaced and the last
// request has ended.
type shown struct {
	*bundlestore.Version
	answers *httpfile.Cache[wish, ready]
	lost    lost
	speaks  func() *route.Languages // languages to choose from, read once; nil = none
	sources func() csp.Allow        // what pages may use on other hosts, read once
	moves   func() *link.Redirects  // redirects with wildcards, read once; other redirects are pages
	library func() *sitereader.Library
	// previous version, whose fingerprinted files stay available to pages that readers still have open; nil = none
	before *shown

	mu      sync.Mutex
	readers int  // guarded by mu
	retired bool // guarded by mu
}

// enter counts a request; ok is false if the version is closed.
func (s *shown) enter() (ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.retired && s.readers == 0 {
		return false
	}
	s.readers++
	return true
}

func (s *shown) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.readers--; s.readers == 0 && s.retired {
		_ = s.Close() // read-only
	}
}

func (s *shown) retire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.retired {
		return
	}
	if s.retired = true; s.readers == 0 {
		_ = s.Close() // read-only
	}
}

// Show starts serving v. The host takes ownership of v.
func (h *Host) Show(v *bundlestore.Version) {
	h.mu.Lock()
	defer h.mu.Unlock()
	old := h.now
	h.now = &shown{
		Version: v, answers: httpfile.NewCache[wish, ready](readyBytes), before: old,
		speaks:  sync.OnceValue(func() *route.Languages { return route.ParseLanguages(listIn(v, capability.LanguagesFile)) }),
		sources: sync.OnceValue(func() csp.Allow { return sourcesOf(v, h.opt.External) }),
		moves:   sync.OnceValue(func() *link.Redirects { return link.ParseRedirects(listIn(v, capability.RedirectsFile)) }),
		library: sync.OnceValue(func() *sitereader.Library { return Library("", v) }),
	}
	if old != nil && old.before != nil {
		old.before.retire()
		old.before = nil
	}
}

// sourcesOf returns the sources on other hosts that the author lets pages use, or nil if the operator does not allow
// them.
func sourcesOf(v *bundlestore.Version, external bool) csp.Allow {
	if !external {
		return nil
	}
	return csp.Decode(listIn(v, capability.SourcesFile))
}

// listIn reads a list that the build wrote for servers; nil = the bundle has none. Without these lists, readers get
// the default language, pages get the default policy, and redirects with wildcards do not work.
func listIn(v *bundlestore.Version, name string) []byte {
	f, ok, err := v.Lookup(name)
	if err != nil || !ok || f.Size > maxList {
		return nil
	}
	in, err := v.Open(name, f, false)
	if err != nil {
		return nil
	}
	defer func() { _ = in.Close() }() // read only
	data, err := io.ReadAll(in)
	if err != nil {
		return nil
	}
	return data
}

// maxList is the maximum size of a list that listIn reads, in bytes.
const maxList = 1 << 20

// take returns the version that serves a request, and the previous one if its files may be needed; call leave on
// both.
func (h *Host) take() (now, before *shown) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.now == nil || !h.now.enter() {
		return nil, nil
	}
	if before = h.now.before; before != nil && !before.enter() {
		before = nil
	}
	return h.now, before
}

// Close releases all versions. No requests may follow.
func (h *Host) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.now != nil {
		h.now.retire()
		if h.now.before != nil {
			h.now.before.retire()
		}
		h.now = nil
	}
}
