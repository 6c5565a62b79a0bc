package library

import (
	"context"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/link"
)

// Files are those of one version of a site. A name that Has denies must not be read.
type Files interface {
	Has(name string) bool
	Read(ctx context.Context, name string) ([]byte, error)
}

// Library reads one version of a site. It is safe for concurrent use.
type Library struct {
	name  string
	files Files

	mu    sync.Mutex
	index index // nil until the first search; guarded by mu
}

// New opens nothing yet. name is the site's own.
func New(name string, files Files) *Library { return &Library{name: name, files: files} }

// Name is the site's.
func (l *Library) Name() string {
	if l.name == "" {
		return "Documentation"
	}
	return l.name
}

// Page is a page in its Markdown form.
type Page struct {
	Path    string // "guides/start"
	Content string
}

// maxPath bounds what is looked up, in bytes.
const maxPath = 2000

// Page finds a page. written is its path or its whole address, with or without a slash, an ending or an anchor.
func (l *Library) Page(ctx context.Context, written string) (Page, error) {
	for _, name := range candidates(written) {
		if !l.files.Has(link.Twin(name)) || !l.files.Has(link.File(name)) {
			continue
		}
		raw, err := l.files.Read(ctx, link.Twin(name))
		if err != nil {
			return Page{}, err
		}
		return Page{Path: name, Content: string(raw)}, nil
	}
	return Page{}, fault.New(fault.NotFound, "unknown_page", "The site has no such page.").WithField("path").
		WithHint("Search the site, or read its llms.txt, for the paths of its pages.")
}

// candidates are the page paths that a text may mean.
func candidates(written string) []string {
	if len(written) > maxPath {
		return nil
	}
	p := strings.TrimSpace(written)
	if u, err := url.Parse(p); err == nil { // takes query and anchor away, and undoes escapes
		p = u.Path
	}
	p = strings.Trim(path.Clean("/"+p), "/")
	for _, ending := range []string{".md", ".html"} {
		if page, ok := strings.CutSuffix(p, ending); ok {
			return []string{page, p, p + "/index"}
		}
	}
	if p == "" {
		return []string{"index"}
	}
	return []string{p, p + "/index"}
}

// Address is a page's path as readers see it, not escaped.
func Address(page string) string {
	if page == "index" {
		return "/"
	}
	return "/" + strings.TrimSuffix(page, "/index")
}
