package searchquality

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/load"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// Site is a site whose search can be measured.
type Site struct {
	index *searchindex.Index
	pages []page // listed pages of the default language that search may find, in the order of navigation
	home  place  // where a reader who has just arrived is
}

// place is the part of a site that a reader is in. Search only finds pages in the same part as the current page.
type place struct{ language, version string }

type page struct {
	*site.Page
	at place
}

// Open builds the docs folder and opens its search index.
func Open(ctx context.Context, root fs.FS) (*Site, error) {
	loaded, _, err := load.Load(ctx, root, load.Options{Workers: 1})
	if err != nil {
		return nil, fmt.Errorf("load site: %w", err)
	}
	files := indexFiles{}
	if _, err := build.Build(ctx, root, build.Options{Offers: capability.Offers{Search: true}}, files); err != nil {
		return nil, fmt.Errorf("build site: %w", err)
	}
	return New(loaded.Site, files.read)
}

// New opens the search index of a built site. read returns a file of its index.
func New(of *site.Site, read func(name string) ([]byte, error)) (*Site, error) {
	index, err := searchindex.Open(read)
	if err != nil {
		return nil, fmt.Errorf("open search index: %w", err)
	}
	s := &Site{index: index}
	s.list(of)
	return s, nil
}

// indexFiles is a sink that stores the files of the search index.
type indexFiles map[string][]byte

func (s indexFiles) Put(_ context.Context, f output.File) error {
	if path.Dir(f.Path) == searchindex.Folder {
		s[path.Base(f.Path)] = slices.Clone(f.Data)
	}
	return nil
}

func (s indexFiles) read(name string) ([]byte, error) {
	data, ok := s[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return data, nil
}

// list returns the pages in the navigation of the default language.
func (s *Site) list(of *site.Site) {
	seen := map[string]bool{}
	var walk func(nodes []*site.Node, at place, silent bool)
	walk = func(nodes []*site.Node, at place, silent bool) {
		for _, n := range nodes {
			here, off := at, silent || n.Hidden || n.Unsearchable
			switch n.Kind {
			case site.KindLanguage:
				if n != first(nodes, n.Kind) {
					continue
				}
				here.language = n.Title
			case site.KindVersion:
				here.version = n.Title
			}
			if i, ok := of.Index(n.Page); ok && !off && !seen[n.Page] && findable(of.Pages[i]) {
				seen[n.Page] = true
				s.pages = append(s.pages, page{of.Pages[i], here})
			}
			walk(n.Children, here, off)
		}
	}
	walk(of.Nav, place{}, false)
	s.home = arrival(of.Nav, place{})
}

func findable(p *site.Page) bool {
	return !p.Hidden && !p.Unsearchable && p.Details().External == "" && p.Title != ""
}

// first returns the node of a kind that readers see first: the one marked as default, otherwise the first.
func first(nodes []*site.Node, kind site.Kind) (out *site.Node) {
	for _, n := range nodes {
		if n.Kind == kind && (out == nil || n.Default && !out.Default) {
			out = n
		}
	}
	return out
}

// arrival returns the default language and version.
func arrival(nodes []*site.Node, at place) place {
	for _, kind := range []site.Kind{site.KindLanguage, site.KindVersion} {
		n := first(nodes, kind)
		switch {
		case n == nil:
			continue
		case kind == site.KindLanguage:
			at.language = n.Title
		default:
			at.version = n.Title
		}
		return arrival(n.Children, at)
	}
	return at
}

// search returns the pages that the search dialog of a page finds, the best first.
func (s *Site) search(ctx context.Context, text string, at place) (out []string, err error) {
	found, err := s.index.Find(ctx, searchindex.Query{Text: text, Limit: hitsMax, Language: at.language,
		Version: at.version, Texts: searchindex.AllTexts})
	if err != nil {
		return nil, fmt.Errorf("search for %q: %w", text, err)
	}
	for _, h := range found.Hits {
		if !slices.Contains(out, h.Path) {
			out = append(out, h.Path)
		}
	}
	return out, nil
}

// hitsMax is the number of hits that the search dialog requests.
const hitsMax = 30

// rank returns the rank of the first wanted page among the results, from 1, or 0.
func rank(found []string, wanted func(path string) bool) int {
	return 1 + slices.IndexFunc(found, wanted)
}

var errNoPages = errors.New("the site has no page that search could find")

func same(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) }
