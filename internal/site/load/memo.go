package load

import (
	"context"
	"crypto/sha256"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// Memo caches what Load reads from files, for a folder that is loaded again after every change. The caller must
// report changed files with Forget, because Memo does not check files itself. A nil Memo caches nothing. It is safe
// for concurrent use.
type Memo struct {
	mu     sync.Mutex
	pages  map[string]readHead
	specs  map[string]readSpec
	sniffs map[string]bool
	copies map[string]openapi.Copy // the last usable copies of remote descriptions; never dropped
}

type readHead struct {
	page *site.Page
	sum  [sha256.Size]byte // digest of the source; zero unless requested
	list diag.List
}

type readSpec struct {
	spec *openapi.Spec
	list diag.List
}

// NewMemo returns an empty memo.
func NewMemo() *Memo {
	m := &Memo{copies: map[string]openapi.Copy{}}
	m.Clear()
	return m
}

// Clear drops everything except for the copies of remote descriptions.
func (m *Memo) Clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pages, m.specs, m.sniffs = map[string]readHead{}, map[string]readSpec{}, map[string]bool{}
}

// Forget drops the cached results of these files. If one of them may be an API description, it drops all descriptions,
// because they may refer to each other.
func (m *Memo) Forget(files []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range files {
		delete(m.pages, f)
		switch strings.ToLower(path.Ext(f)) {
		case ".json", ".yaml", ".yml":
			clear(m.specs)
			clear(m.sniffs)
		}
	}
}

// page is readPage with a cache. It returns a copy because Load modifies the result.
func (m *Memo) page(src fs.FS, file string, sum bool, p *site.Page, t *texts) readHead {
	if m == nil {
		return readPage(src, file, sum, p, t)
	}
	m.mu.Lock()
	known, ok := m.pages[file]
	m.mu.Unlock()
	if !ok {
		known = readPage(src, file, sum, &site.Page{}, nil)
		m.mu.Lock()
		m.pages[file] = known
		m.mu.Unlock()
	}
	*p = *known.page
	if p.API != nil {
		api := *p.API
		p.API = &api
	}
	known.page = p
	return known
}

// spec loads a description, using the cache. It fetches a URL only once. It does not cache results of a cancelled
// load.
func (m *Memo) spec(ctx context.Context, name string, load func() (*openapi.Spec, diag.List)) (*openapi.Spec,
	diag.List) {
	m.mu.Lock()
	known, ok := m.specs[name]
	m.mu.Unlock()
	if ok {
		return known.spec, known.list
	}
	known.spec, known.list = load()
	if ctx.Err() == nil {
		m.mu.Lock()
		m.specs[name] = known
		m.mu.Unlock()
	}
	return known.spec, known.list
}

// known returns a function for openapi.Loader.Known.
func (m *Memo) known(ctx context.Context) func(string, func() (*openapi.Spec, diag.List)) (*openapi.Spec, diag.List) {
	if m == nil {
		return nil
	}
	return func(name string, load func() (*openapi.Spec, diag.List)) (*openapi.Spec, diag.List) {
		return m.spec(ctx, name, load)
	}
}

// kept returns a function that finds the last usable copies of remote descriptions, or nil for a nil Memo.
func (m *Memo) kept() openapi.Kept {
	if m == nil {
		return nil
	}
	return func(_ context.Context, url string) (openapi.Copy, bool) {
		m.mu.Lock()
		defer m.mu.Unlock()
		c, ok := m.copies[url]
		return c, ok
	}
}

// keep stores the copies that a load used.
func (m *Memo) keep(set *openapi.Set) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range set.Copies() {
		m.copies[c.URL] = c
	}
}

// sniff reports whether a file looks like an API description, using the cache.
func (m *Memo) sniff(src fs.FS, name string) bool {
	if m != nil {
		m.mu.Lock()
		is, ok := m.sniffs[name]
		m.mu.Unlock()
		if ok {
			return is
		}
	}
	data, err := fs.ReadFile(src, name)
	is := err == nil && openapi.Sniff(data)
	if m != nil {
		m.mu.Lock()
		m.sniffs[name] = is
		m.mu.Unlock()
	}
	return is
}

// PageOf returns the path of the page whose source is this file, or "" for other files.
func PageOf(file string) string {
	switch strings.ToLower(path.Ext(file)) {
	case ".mdx", ".md":
		return slug.Page(file)
	}
	return ""
}
