package sitediff

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// Past is the set of addresses that a site had at some time before the base.
type Past struct {
	pages     []lost
	redirects []pastRedirect
	seen      map[string]bool // addresses and sources
}

type pastRedirect struct {
	site.Redirect
	cause string
}

// Add adds the addresses that a docs folder published before a change. src only has to contain the pages that the
// change removed. cause is a sentence that identifies the change. Changes must be added newest first. Pages generated
// from an API description are not included.
func (p *Past) Add(ctx context.Context, src fs.FS, cause string) error {
	loaded, _, err := load.Load(ctx, src, load.Options{Workers: 1, Author: true})
	if err != nil {
		return fmt.Errorf("load earlier site: %w", err)
	}
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	table := link.New(loaded.Site, link.Clean, "", "index")
	for _, page := range loaded.Site.Pages {
		if page.File != "" {
			p.add(lost{address: table.Path(page.Path), page: page.Path, file: page.File, cause: cause, title: page.Title})
		}
	}
	for _, name := range loaded.Withheld { // for readers in groups
		p.add(lost{address: table.Path(name), page: name, file: name, cause: cause, title: slug.Words(name)})
	}
	for _, r := range loaded.Site.Redirects {
		if source := link.SourcePath(r.Source); !p.seen[source] {
			p.seen[source] = true
			p.redirects = append(p.redirects, pastRedirect{r, cause})
		}
	}
	return nil
}

func (p *Past) add(l lost) {
	if !p.seen[l.address] {
		p.seen[l.address] = true
		p.pages = append(p.pages, l)
	}
}

// lostBefore returns the past addresses that no longer work, except for those that the base still had.
func (c *comparison) lostBefore(past *Past) (list []lost) {
	if past == nil {
		return nil
	}
	left := map[string]bool{} // addresses of past pages
	for _, l := range past.pages {
		left[l.address] = true
		if !c.base.answers(l.address) && !c.head.answers(l.address) {
			l.to = c.target(l.page, l.title)
			list = append(list, l)
		}
	}
	for _, r := range past.redirects {
		// The source of a rule whose target was already missing never worked. Wildcards are skipped, because the
		// addresses that they matched are unknown.
		source := link.SourcePath(r.Source)
		dest, _, _ := strings.Cut(r.Destination, "#")
		if link.Wildcard(source) || c.base.answers(source) || c.head.answers(source) ||
			!c.head.answers(dest) && !left[dest] {
			continue
		}
		to := r.Destination
		if !c.head.answers(dest) {
			to = c.target(strings.Trim(dest, "/"), "")
		}
		list = append(list, lost{address: r.Source, source: r.Source, to: to, cause: r.cause})
	}
	return list
}
