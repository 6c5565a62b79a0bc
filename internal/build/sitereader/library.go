package sitereader

import (
	"context"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// Files are those of one version of a site. A name that Has denies must not be read.
type Files interface {
	Has(name string) bool
	Read(ctx context.Context, name string) ([]byte, error)
}

// Library reads one version of a site. It is safe for concurrent use.
type Library struct {
	name    string
	notes   string
	edition string
	files   Files

	mu    sync.Mutex
	index index // nil until the first search; guarded by mu
}

// New opens nothing yet. name is the site's own.
func New(name string, files Files) *Library { return &Library{name: name, files: files} }

// Name returns the site's.
func (l *Library) Name() string {
	if l.name == "" {
		return "Documentation"
	}
	return l.name
}

// WithNotes adds the authors' notes to the assistant, which no one else sees. It is called before the library is
// shared.
func (l *Library) WithNotes(notes string) *Library { l.notes = notes; return l }

// Notes returns these notes; "" = none.
func (l *Library) Notes() string { return l.notes }

// WithEdition says which state of the site this is, such as a version and its digest. It is called before the library
// is shared.
func (l *Library) WithEdition(edition string) *Library { l.edition = edition; return l }

// Edition returns the state of the site; "" = the one that is published now.
func (l *Library) Edition() string { return l.edition }

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
	return Page{}, UnknownPage()
}

// Has reports whether the site has a page, by its path as readers see it and not escaped. It reads nothing.
func (l *Library) Has(seen string) bool {
	name := strings.Trim(seen, "/")
	if name == "" {
		return l.files.Has(link.File("index"))
	}
	return l.files.Has(link.File(name)) || l.files.Has(link.File(name+"/index"))
}

// UnknownPage is the fault of a path that leads to no page.
func UnknownPage() error {
	return fault.New(fault.NotFound, "unknown_page", "Page not found.").WithField("path").
		WithHint("To find page paths, search the site or read its llms.txt.")
}

// File reads a file of the site by its own name, such as _lectern/api-origins.json; one larger than limit bytes is
// refused.
func (l *Library) File(ctx context.Context, name string, limit int) ([]byte, error) {
	if !l.files.Has(name) {
		return nil, fault.New(fault.NotFound, "unknown_file", "File not found.")
	}
	raw, err := l.files.Read(ctx, name)
	if err != nil {
		return nil, err
	}
	if len(raw) > limit {
		return nil, fault.Newf(fault.TooLarge, "file_too_large", "The file is larger than %d bytes.", limit)
	}
	return raw, nil
}

// candidates returns the page paths that a text may mean.
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

// Address returns a page's path as readers see it, not escaped.
func Address(page string) string {
	if page == "index" {
		return "/"
	}
	return "/" + strings.TrimSuffix(page, "/index")
}
