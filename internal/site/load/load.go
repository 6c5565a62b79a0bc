package load

import (
	"context"
	"crypto/sha256"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/docsjson"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// Options configure Load. The zero value uses one goroutine and fetches nothing.
type Options struct {
	Workers int
	Fetch   openapi.Fetch // fetches API descriptions from URLs; nil = remote descriptions are not read
	Kept    openapi.Kept  // the last usable copies of remote descriptions; nil = use those in Memo, if any
	Memo    *Memo         // results of earlier loads of the same folder; nil = every file is read
	Sums    bool          // compute digests of everything read, for caches
	Known   Known         // results of earlier loads; not used with Memo
	View    reader.View   // the readers for whom the site is loaded
	// Author keeps links and redirects to withheld pages, and files that belong to them. It is for tools that modify
	// the folder.
	Author bool
}

// Loaded is a site together with the API descriptions that its pages show.
type Loaded struct {
	Site  *site.Site
	Specs *openapi.Set
	Files []string // the site file and the files it refers to; empty if there is no site file
	// Withheld is the sorted list of pages, by path, that are in the folder but not part of the site, because the
	// readers of the view may not see them. WithheldFiles lists the files that only such pages refer to.
	Withheld, WithheldFiles []string
	Groups                  []string // all groups that pages and API operations name, sorted
	// Restricted contains the API descriptions that include parts which the readers of the view may not see. Readers do
	// not get these files. If a description can be filtered, the site contains a copy without those parts.
	Restricted map[string]bool
	// Sums holds the digests of the pages' sources; nil unless requested.
	Sums *Sums
	// Described is the digest of all API descriptions that were read.
	Described [sha256.Size]byte
	// Unread is the sorted list of API descriptions that the site names but that could not be used.
	Unread []string
	// Broken means that the site file could not be used and that the site has the default settings.
	Broken bool
}

// Load reads the site of src. It returns an error only if the context is cancelled. It reports authors' mistakes in the
// list, which is sorted.
func Load(ctx context.Context, src fs.FS, o Options) (*Loaded, diag.List, error) {
	cfg, list := docsjson.Load(src)
	broken := list.HasErrors()
	files, found, err := walk(ctx, src, cfg)
	list = append(list, found...)
	if err != nil {
		return nil, nil, err
	}
	s := &site.Site{Settings: cfg.Settings, Assets: files.assets}
	loaded := &Loaded{Site: s, Broken: broken}
	found, err = readPages(ctx, src, files.pages, o, loaded)
	list = append(list, found...)
	if err != nil {
		return nil, nil, err
	}
	read := newDigests(o)
	specs, unread, found := apiPages(ctx, read.folder(src), read.options(o), cfg, files.specs, s)
	list = append(list, found...)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	s.Styles, s.Scripts, found = ownFiles(src, cfg, files)
	list = append(list, found...)
	list = append(list, redirects(s, cfg)...)
	publish(s, cfg.Nav)
	whole := *s
	sel, found := restrict(s, specs, o.View)
	list = append(list, found...)
	written := cfg.File != "" && len(cfg.Nav) > 0
	if !o.Author && len(sel.withheld) > 0 {
		sel.entries = entryTexts(cfg.Nav)
		cfg.Nav = conceal(s, cfg.Nav, &whole, sel)
	}
	list = append(list, navigation(s, cfg.Nav, written, sel.withheld)...)
	if !o.Author {
		loaded.WithheldFiles = withholdFiles(src, s, &whole, sel)
	}
	inherit(s)
	list.Sort()
	loaded.Specs, loaded.Withheld, loaded.Groups = specs, slices.Sorted(maps.Keys(sel.withheld)), sel.groups
	loaded.Described, loaded.Unread, loaded.Restricted = read.sum(), unread, map[string]bool{}
	for name := range sel.specs {
		loaded.Restricted[name] = !sel.filtered[name]
	}
	if cfg.File != "" {
		loaded.Files = append([]string{cfg.File}, cfg.Parts...)
	}
	return loaded, list, nil
}

// readPages reads the front matter of each page in parallel and adds the pages to the site in path order.
func readPages(ctx context.Context, src fs.FS, files []string, o Options, to *Loaded) (diag.List, error) {
	heads, s := make([]readHead, len(files)), to.Site
	pages := make([]site.Page, len(files)) // a single allocation for all pages, which have the same lifetime
	groups := make(chan [2]int)
	var wg sync.WaitGroup
	for range max(1, min(o.Workers, len(files))) {
		wg.Go(func() {
			t := &texts{}
			for g := range groups {
				o.readGroup(src, files[g[0]:g[1]], heads[g[0]:g[1]], pages[g[0]:g[1]], t)
			}
		})
	}
	for from := 0; from < len(files) && ctx.Err() == nil; {
		to := from + groupEnd(files[from:])
		groups <- [2]int{from, to}
		from = to
	}
	close(groups)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if o.Sums {
		to.Sums = &Sums{make([]*site.Page, 0, len(files)), make([][sha256.Size]byte, 0, len(files))}
	}
	slices.SortFunc(heads, func(a, b readHead) int { return strings.Compare(a.page.Path, b.page.Path) })
	var list diag.List
	s.Pages = make([]*site.Page, 0, len(files))
	for _, p := range heads {
		list = append(list, p.list...)
		// If a page restricts its readers in an invalid way, it is withheld from all readers, together with its files
		// and titles. If it were only listed as failed, readers could still see its files and titles.
		if p.list.HasErrors() && len(p.page.Details().Groups) == 0 {
			s.Failed = append(s.Failed, p.page.Path)
			continue
		}
		s.Pages = append(s.Pages, p.page)
		if o.Sums {
			to.Sums.add(p)
		}
	}
	return list, nil
}
