package build

import (
	"context"
	"sync"

	"github.com/lectern-docs/lectern/internal/site"
)

// memoMax bounds the rendered pages that are remembered, in bytes. Beyond it some are made again when they are needed.
const memoMax = 256 << 20

// pageMemo keeps rendered pages of one state of a site. A page's result depends on its own source, on the site as it was loaded and on the
// files that were asked for while rendering; whoever holds the memo drops pages when the first changes and the whole memo when another does.
// A nil memo remembers nothing. It is safe for concurrent use.
type pageMemo struct {
	mu    sync.Mutex
	pages map[string]*madePage // by page path
	bytes int
}

// madePage is one page, rendered by whoever needs it first.
type madePage struct {
	mu sync.Mutex
	ok bool
	r  result
}

func newPageMemo() *pageMemo { return &pageMemo{pages: map[string]*madePage{}} }

// page is the page's result, from memory or by b.
func (m *pageMemo) page(ctx context.Context, b *builder, p *site.Page) result {
	if m == nil {
		return b.bounded(ctx, p, p.Path)
	}
	m.mu.Lock()
	made := m.pages[p.Path]
	if made == nil {
		made = &madePage{}
		m.pages[p.Path] = made
	}
	m.mu.Unlock()
	made.mu.Lock()
	defer made.mu.Unlock()
	if made.ok {
		return made.r
	}
	r := b.bounded(ctx, p, p.Path)
	if ctx.Err() == nil { // else it was given up
		made.r, made.ok = r, true
		m.keep(p.Path, made)
	}
	return r
}

// keep counts a page in, and others out when there are too many.
func (m *pageMemo) keep(path string, made *madePage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.pages[path] != made {
		return // it was dropped while it was being made
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

// drop forgets a page.
func (m *pageMemo) drop(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if made := m.pages[path]; made != nil && made.mu.TryLock() {
		m.forget(path, made)
		made.mu.Unlock()
	}
	delete(m.pages, path) // also one that is being made from what was there before
}

// forget is called with both locks held.
func (m *pageMemo) forget(path string, made *madePage) {
	if made.ok {
		m.bytes -= made.r.size()
	}
	delete(m.pages, path)
}

// size is about what a result takes: its words for search weigh what its text does.
func (r *result) size() int {
	n := r.html.size() + 5*r.twin.size()
	if c := r.words.content; c != nil {
		n += len(c.html) + len(c.side)
	}
	return n
}
