// Package deadlink finds links from live sites to pages on other sites that have been unavailable for days.
//
// Inputs: the pages that readers without a group can see, and the responses of other sites. Outputs: for each site,
// the links that have been dead for a while. Dead links, with the time they were first seen dead, are kept in one
// blob per project; losing it only delays reports. It never sends requests to private addresses: its HTTP client
// comes from package outbound.
package deadlink

import (
	"cmp"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/source/linkcheck"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

const (
	runLife  = 40 * time.Minute // for all sites; sites not reached come first in the next run
	siteLife = 10 * time.Minute // per site
	maxPages = 20_000           // per site
	maxPage  = 16 << 20         // bytes of a page
)

// Watch looks for dead links. All fields are required.
type Watch struct {
	Store  *store.Store
	Blob   blob.Store
	Client *http.Client
	Agent  string        // User-Agent
	After  time.Duration // how long a link must be dead before it is reported
	Now    func() time.Time
	Logger *slog.Logger
}

// Site is a live site with dead links.
type Site struct {
	OrganizationID, ProjectID, Name string
	Links                           []Link // longest dead first
}

// Link is a dead link.
type Link struct {
	Address string    `json:"-"`
	Page    string    `json:"page"` // path of a page that contains the link
	Reason  string    `json:"reason"`
	Since   time.Time `json:"since"` // when the link was first seen dead
}

// Find requests the targets of links to other sites, and returns the sites with links that have been dead for long
// enough. A site that cannot be read is logged and keeps its state.
func (w *Watch) Find(ctx context.Context) ([]Site, error) {
	live, err := w.Store.ListLiveProjects(ctx)
	if err != nil {
		return nil, err
	}
	states, err := w.load(ctx, live)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(live, func(a, b store.LiveProject) int {
		return states[a.ID].Checked.Compare(states[b.ID].Checked)
	})
	within, cancel := context.WithTimeout(ctx, runLife)
	defer cancel()
	for _, p := range live {
		if within.Err() != nil {
			break
		}
		next, err := w.check(within, p, states[p.ID])
		if err != nil && ctx.Err() == nil {
			w.Logger.WarnContext(ctx, "failed to check links on site", "project", p.ID, "error", err)
			continue
		}
		states[p.ID] = next
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var out []Site
	for _, p := range live {
		if links := w.old(states[p.ID]); len(links) > 0 {
			out = append(out, Site{OrganizationID: p.OrganizationID, ProjectID: p.ID, Name: p.Name, Links: links})
		}
	}
	return out, nil
}

// old returns the links that have been dead for long enough.
func (w *Watch) old(s state) (out []Link) {
	for address, one := range s.Dead {
		if one.Address = address; w.Now().Sub(one.Since) >= w.After {
			out = append(out, one)
		}
	}
	slices.SortFunc(out, func(a, b Link) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Address, b.Address)) })
	return out
}

// check requests a site's links and stores the results. If this takes too long, it stores the results so far.
func (w *Watch) check(ctx context.Context, p store.LiveProject, before state) (state, error) {
	pages, err := w.links(ctx, p)
	if err != nil {
		return before, err
	}
	var addresses []string
	for address := range pages {
		addresses = append(addresses, address)
	}
	within, cancel := context.WithTimeout(ctx, siteLife)
	defer cancel()
	found, err := linkcheck.Run(within, addresses, linkcheck.Options{Client: w.Client, Day: w.Now(), Agent: w.Agent})
	if err != nil && within.Err() == nil {
		return before, err
	}
	next := state{Checked: w.Now().UTC(), Dead: map[string]Link{}}
	for address, page := range pages {
		old, known := before.Dead[address]
		why, gone := found.Gone[address]
		switch {
		case gone && known:
			old.Page, old.Reason = page, why
			next.Dead[address] = old
		case gone:
			next.Dead[address] = Link{Page: page, Reason: why, Since: w.Now().UTC()}
		case known && !slices.Contains(found.Good, address): // result unknown
			next.Dead[address] = old
		}
	}
	if err := w.write(ctx, p.ID, next); err != nil {
		return before, err
	}
	return next, nil
}

// links returns the external URLs that a site links to, each with a page that contains it.
func (w *Watch) links(ctx context.Context, p store.LiveProject) (map[string]string, error) {
	m, err := publish.LoadManifest(ctx, w.Blob, p.ManifestKey)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, page := range m.Pages[:min(len(m.Pages), maxPages)] {
		f, ok := m.Files[page.Path+".html"]
		if !ok || f.Size > maxPage {
			continue
		}
		r, err := publish.OpenFile(ctx, w.Blob, m, f)
		if err != nil {
			return nil, err
		}
		data, err := unpack(r, f.Gzip)
		_ = r.Close() // read only
		if err != nil {
			return nil, fmt.Errorf("read page %s: %w", page.Path, err)
		}
		for _, address := range linkcheck.Links(data) {
			if _, ok := out[address]; !ok {
				out[address] = page.Path
			}
		}
	}
	return out, nil
}

func unpack(r io.Reader, packed bool) ([]byte, error) {
	if packed {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		r = z
	}
	return io.ReadAll(io.LimitReader(r, maxPage))
}
