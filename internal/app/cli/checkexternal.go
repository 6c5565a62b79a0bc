package cli

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/source/linkcheck"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// externalLinks is a sink that collects links to other sites from pages and passes files on.
type externalLinks struct {
	next  output.Sink
	pages map[string][]string // address → paths of pages
}

// before returns a sink that collects the links of the files written to next, or next itself if e is nil.
func (e *externalLinks) before(next output.Sink) output.Sink {
	if e == nil {
		return next
	}
	return &externalLinks{next: next, pages: e.pages}
}

// another returns an empty collection, or nil if e is nil.
func (e *externalLinks) another() *externalLinks {
	if e == nil {
		return nil
	}
	return &externalLinks{next: nowhere{}, pages: map[string][]string{}}
}

// leaveOut removes the addresses that another collection contains, regardless of the page. Both may be nil.
func (e *externalLinks) leaveOut(old *externalLinks) {
	if e != nil {
		maps.DeleteFunc(e.pages, func(address string, _ []string) bool { return old.pages[address] != nil })
	}
}

// Put implements output.Sink.
func (e *externalLinks) Put(ctx context.Context, f output.File) error {
	if page, ok := strings.CutSuffix(f.Path, ".html"); ok {
		data, err := f.Bytes()
		if err != nil {
			return fmt.Errorf("read page: %w", err)
		}
		for _, address := range linkcheck.Links(data) {
			if !slices.Contains(e.pages[address], page) {
				e.pages[address] = append(e.pages[address], page)
			}
		}
	}
	return e.next.Put(ctx, f)
}

// externalTime is the timeout of a request.
const externalTime = 15 * time.Second

// checkExternal requests the targets of links to other sites and returns a finding for each link that leads nowhere.
func (c *checkCommand) checkExternal(ctx context.Context, r *run, src fs.FS, links *externalLinks,
	opt build.Options) (list diag.List, err error) {
	guard, err := outbound.NewGuard(c.AllowAddress)
	if err != nil {
		return nil, badAllowed(err)
	}
	var addresses []string
	for address := range links.pages {
		addresses = append(addresses, address)
	}
	client := guard.Client(outbound.Limits{Time: externalTime})
	defer client.CloseIdleConnections()
	found, err := linkcheck.Run(ctx, addresses, linkcheck.Options{Client: client, Cache: opt.Cache, Day: r.Now(), Agent: "Lectern/" + r.Version + " (link check)"})
	if err != nil {
		return nil, err
	}
	for address, why := range found.Gone {
		for _, page := range links.pages[address] {
			list.Warnf(placeOf(src, page, address), "external-link", "The link to %q leads nowhere: %s.", address, why)
			list.Hint("Update or remove the link.")
		}
	}
	if found.Unknown+found.Left > 0 {
		fmt.Fprintf(r.Stderr, "Links to other sites: %d gave no clear answer, %d were not requested (the limit is %d)\n", found.Unknown,
			found.Left, linkcheck.MaxAddresses)
	}
	return list, nil
}

// placeOf returns the first position of a text in a page's source, or the file without a position if the source does
// not contain the text literally. Generated pages have no position.
func placeOf(src fs.FS, page, text string) diag.Pos {
	file := page + ".mdx"
	data, err := safefile.Read(src, file, 16<<20)
	if err != nil {
		file = page + ".md"
		if data, err = safefile.Read(src, file, 16<<20); err != nil {
			return diag.Pos{}
		}
	}
	before, _, ok := bytes.Cut(data, []byte(text))
	if !ok {
		return diag.Pos{File: file}
	}
	line := bytes.Count(before, []byte("\n")) + 1
	return diag.Pos{File: file, Line: line, Column: len(before) - bytes.LastIndexByte(before, '\n')}
}
