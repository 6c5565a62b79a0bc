package scan

import (
	"context"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/lectern-docs/lectern/internal/diag"
	"github.com/lectern-docs/lectern/internal/docsjson"
	"github.com/lectern-docs/lectern/internal/openapi"
	"github.com/lectern-docs/lectern/internal/site"
)

// Options say how to read a site. The zero value reads with one goroutine and fetches nothing.
type Options struct {
	Workers int
	Fetch   openapi.Fetch // gets API descriptions from addresses; nil = they are not read
	Memo    *Memo         // of earlier loads of the same folder; nil = every file is read
}

// Loaded is a site and the API descriptions that its pages show.
type Loaded struct {
	Site  *site.Site
	Specs *openapi.Set
	Files []string // the site file and those it is made of; empty when there is none
	// Withheld are the paths of pages that are in the folder and not in the site, since only some readers may see them; ordered.
	Withheld []string
}

// Load reads the site of src. The error is for infrastructure only: a cancelled context. Author mistakes are in the list, which is sorted.
func Load(ctx context.Context, src fs.FS, o Options) (*Loaded, diag.List, error) {
	cfg, list := docsjson.Load(src)
	files, found, err := walk(ctx, src, cfg)
	list = append(list, found...)
	if err != nil {
		return nil, nil, err
	}
	s := &site.Site{Settings: cfg.Settings, Assets: files.assets}
	found, err = readPages(ctx, src, files.pages, o, s)
	list = append(list, found...)
	if err != nil {
		return nil, nil, err
	}
	specs, found := apiPages(ctx, src, o, cfg, files.specs, s)
	list = append(list, found...)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	hidden, found := restrict(s, specs)
	list = append(list, found...)
	list = append(list, navigation(s, cfg, hidden)...)
	inherit(s)
	s.Styles, s.Scripts, found = ownFiles(src, cfg, files)
	list = append(list, found...)
	list = append(list, redirects(s, cfg)...)
	list.Sort()
	loaded := &Loaded{Site: s, Specs: specs, Withheld: slices.Sorted(maps.Keys(hidden))}
	if cfg.File != "" {
		loaded.Files = append([]string{cfg.File}, cfg.Parts...)
	}
	return loaded, list, nil
}

// readPages reads the head of each page in parallel and enters it into s in path order.
func readPages(ctx context.Context, src fs.FS, files []string, o Options, s *site.Site) (diag.List, error) {
	pages := make([]*site.Page, len(files))
	lists := make([]diag.List, len(files))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range max(1, min(o.Workers, len(files))) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(files) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				pages[i], lists[i] = o.Memo.page(src, files[i])
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i, p := range pages {
		if lists[i].HasErrors() {
			s.Failed = append(s.Failed, p.Path)
		} else {
			s.Pages = append(s.Pages, p)
		}
	}
	slices.SortFunc(s.Pages, func(a, b *site.Page) int { return strings.Compare(a.Path, b.Path) })
	slices.Sort(s.Failed)
	return slices.Concat(lists...), nil
}
