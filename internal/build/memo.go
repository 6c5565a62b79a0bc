package build

import (
	"context"
	"sync"

	"github.com/lectern-docs/lectern/internal/site"
)

// memoMax limits the total size of the rendered pages that are kept, in bytes. Pages beyond it are evicted and rendered
// again on request.
const memoMax = 256 << 20

// pageMemo keeps rendered pages of one state of a site. A page's result depends on its own source, on the site as
// loaded, and on the files that rendering read. The owner drops a page when its source changes, and the whole memo
// when anything else changes. A nil memo keeps nothing. It is safe for concurrent use.
type pageMemo struct {
	mu    sync.Mutex
	pages map[string]*memoPage // by page path
	bytes int
}

// memoPage is one page; the first caller that needs it renders it.
type memoPage struct {
	mu sync.Mutex
	ok bool
	r  result
}

func newPageMemo() *pageMemo { return &pageMemo{pages: map[string]*memoPage{}} }

// page returns the page's result from memory, or renders it. kept is its record from an earlier build; it may be nil.
func (m *pageMemo) page(ctx context.Context, pages *pageRenderer, p *site.Page, kept []byte) result {
	if m == nil {
		return pages.render(ctx, p, p.Path, kept)
	}
	made := findOrAdd(&m.mu, m.pages, p.Path)
	made.mu.Lock()
	defer made.mu.Unlock()
	if made.ok {
		return made.r
	}
	r := pages.render(ctx, p, p.Path, kept)
	if ctx.Err() == nil { // otherwise the page was cancelled
		made.r, made.ok = r, true
		made.r.record = nil // the caller stores it; it is not needed again
		m.keep(p.Path, made)
	}
	return r
}

// findOrAdd returns the value for key. It adds the value if it is missing. mu guards the map.
func findOrAdd[T any](mu *sync.Mutex, known map[string]*T, key string) *T {
	mu.Lock()
	defer mu.Unlock()
	one := known[key]
	if one == nil {
		one = new(T)
		known[key] = one
	}
	return one
}

// keep adds the size of a page, and evicts others when the memo is full.
func (m *pageMemo) keep(path string, made *memoPage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.pages[path] != made {
		return // dropped while it was being rendered
	}
	m.bytes += made.r.size()
	for other, old := range m.pages {
		if m.bytes <= memoMax {
			return
		}
		if other != path && old.mu.TryLock() {
			m.forget(other, old)
			old.mu.Unlock()
		}
	}
}

// drop removes a page.
func (m *pageMemo) drop(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if made := m.pages[path]; made != nil && made.mu.TryLock() {
		m.forget(path, made)
		made.mu.Unlock()
	}
	delete(m.pages, path) // even if it is currently being rendered from the old source
}

// forget removes a page. The caller must hold both locks.
func (m *pageMemo) forget(path string, made *memoPage) {
	if made.ok {
		m.bytes -= made.r.size()
	}
	delete(m.pages, path)
}

// size estimates how much memory a result takes. The words of a page for search take about as much as its text.
func (r *result) size() int {
	n := r.html.size() + 5*r.twin.size()
	if c := r.words.content; c != nil {
		n += len(c.html) + len(c.side)
	}
	return n
}
