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

// Files gives access to the files of one version of a site. A name for which Has returns false must not be read.
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

// New returns a Library. It does not read anything yet. name is the site's own name.
func New(name string, files Files) *Library { return &Library{name: name, files: files} }

// Name returns the name of the site.
func (l *Library) Name() string {
	if l.name == "" {
		return "Documentation"
	}
	return l.name
}

// WithNotes adds the notes that the authors wrote for the assistant. They are not shown to anyone else. It must be
// called before the library is shared.
func (l *Library) WithNotes(notes string) *Library { l.notes = notes; return l }

// Notes returns the notes; "" = none.
func (l *Library) Notes() string { return l.notes }

// WithEdition sets the identity of this state of the site, such as a version and its digest. It must be called
// before the library is shared.
func (l *Library) WithEdition(edition string) *Library { l.edition = edition; return l }

// Edition returns the identity of the state; "" = the currently published one.
func (l *Library) Edition() string { return l.edition }

// Page is a page in its Markdown form.
type Page struct {
	Path    string // "guides/start"
	Content string
}

// maxPath limits a path to look up, in bytes.
const maxPath = 2000

// Page finds a page. written is its path or its URL, with or without a slash, an extension or an anchor.
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

// Has reports whether the site has a page with this unescaped path. It reads no files.
func (l *Library) Has(seen string) bool {
	name := strings.Trim(seen, "/")
	if name == "" {
		return l.files.Has(link.File("index"))
	}
	return l.files.Has(link.File(name)) || l.files.Has(link.File(name+"/index"))
}

// UnknownPage returns the fault for a path without a page.
func UnknownPage() error {
	return fault.New(fault.NotFound, "unknown_page", "Page not found.").WithField("path").
		WithHint("To find page paths, search the site or read its llms.txt.")
}

// File reads a file of the site by its name, such as _lectern/api-origins.json. It rejects a file larger than limit
// bytes.
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

// candidates returns the page paths that written may refer to.
func candidates(written string) []string {
	if len(written) > maxPath {
		return nil
	}
	p := strings.TrimSpace(written)
	if u, err := url.Parse(p); err == nil { // removes the query and the anchor, and decodes escapes
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

// Address returns the public path of a page, unescaped.
func Address(page string) string {
	if page == "index" {
		return "/"
	}
	return "/" + strings.TrimSuffix(page, "/index")
}
