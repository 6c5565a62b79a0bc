package bundlehost

import (
	"io"
	"sync"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/jobs/bundlestore"
	"github.com/lectern-docs/lectern/internal/serve/httpfile"
	"github.com/lectern-docs/lectern/internal/site/route"
)

// shown is a version with its readers. It is closed when it was replaced and the last of them has gone.
type shown struct {
	*bundlestore.Version
	answers *httpfile.Cache[wish, ready]
	lost    lost
	speaks  func() *route.Languages // reads them once; nil = there are none to choose from
	// whose files with a digest in their names stay reachable for pages that readers still have open; nil = none
	before *shown

	mu      sync.Mutex
	readers int  // guarded by mu
	retired bool // guarded by mu
}

// enter counts a reader; ok is false when the version is closed.
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
		_ = s.Close() // it was only read
	}
}

func (s *shown) retire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.retired {
		return
	}
	if s.retired = true; s.readers == 0 {
		_ = s.Close() // it was only read
	}
}

// Show answers from v from the next request on. The host owns v.
func (h *Host) Show(v *bundlestore.Version) {
	h.mu.Lock()
	defer h.mu.Unlock()
	old := h.now
	h.now = &shown{
		Version: v, answers: httpfile.NewCache[wish, ready](readyBytes), before: old,
		speaks: sync.OnceValue(func() *route.Languages { return languagesOf(v) }),
	}
	if old != nil && old.before != nil {
		old.before.retire()
		old.before = nil
	}
}

// languagesOf reads which languages the site has.
func languagesOf(v *bundlestore.Version) *route.Languages {
	f, ok, err := v.Lookup(capability.LanguagesFile)
	if err != nil || !ok || f.Size > maxLanguages {
		return nil
	}
	in, err := v.Open(capability.LanguagesFile, f, false)
	if err != nil {
		return nil // readers get the default one
	}
	defer func() { _ = in.Close() }() // read only
	data, err := io.ReadAll(in)
	if err != nil {
		return nil
	}
	return route.ParseLanguages(data)
}

// maxLanguages bounds the list of languages, in bytes.
const maxLanguages = 1 << 20

// take is the version to answer a request from, and the one before it if its files may be needed; call leave on both.
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

// Close lets go of everything. No request may follow.
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
