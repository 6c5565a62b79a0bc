package sitehost

import (
	"context"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/route"
	"github.com/lectern-docs/lectern/internal/store"
)

// Sites is the part of the store used by the host.
type Sites interface {
	// ListLive returns all sites of a host, longest paths first.
	ListLive(ctx context.Context, host string) ([]store.Live, error)
	FindLivePreview(ctx context.Context, deploymentID string) (store.Live, error)
}

// Site is the result of resolving a host name and path.
type Site struct {
	Base           string // path of the host below which the site is served, such as /docs; "" = the whole host
	ProjectID      string
	OrganizationID string
	ManifestKey    string // "" if nothing has been published yet
	Preview        bool
	Access         access.Mode // who may read it; "" = everyone

	closed  bool   // the reader may see none of the published content
	version string // name of the requested version; "" = the default version, or the site has none
	home    string // manifest key of the default version; "" unless version is set
	stuck   bool   // the version's newest commit does not build, so updates do not change it
}

// found is the cached result of looking up a host name, which may have no sites.
type found struct {
	sites []Site    // longest paths first; read-only
	at    time.Time // time of the database query
	until time.Time // expiry of the cache entry
	began int       // number of completed lookups for all hosts when this one started
	ended int       // and when it completed, including itself
}

// finder maps host names to their sites. Results are cached for a fraction of a second, so that a busy site causes
// only a few database queries per second, while a newly published version is visible everywhere almost immediately.
type finder struct {
	sites   Sites
	preview string // parent domain of previews
	now     func() time.Time

	mu     sync.Mutex
	known  map[string]found // guarded by mu; hosts with sites, the fallback during a database outage
	absent map[string]found // guarded by mu; all other hosts
	ended  int              // guarded by mu; completed lookups
}

const (
	rememberFor = 250 * time.Millisecond
	// Callers can invent any number of host names, so names without a site have a separate limit: they must neither
	// fill memory nor evict sites.
	maxAbsent = 10_000
	maxKnown  = 100_000
	// While the database is unavailable, readers get the last known state, up to this age.
	outage  = 10 * time.Minute
	askLife = 2 * time.Second // how long a request then waits for the database
)

// find returns the sites of a host name, longest paths first; nil if there are none.
func (f *finder) find(ctx context.Context, host string) ([]Site, error) {
	now := f.now()
	known, hit, began := f.recall(host)
	if hit && now.Before(known.until) {
		return known.sites, nil
	}
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil || !strings.Contains(host, ".") {
		return nil, nil // IP addresses and single-label names are never a site's domain
	}
	hit = hit && len(known.sites) > 0 && now.Before(known.at.Add(outage))
	fresh, err := f.refresh(ctx, host, hit)
	// If the delay came from a suspension of this process, not from the database, the cached state is older than it
	// seems.
	if err != nil && hit && f.now().Sub(now) > askLife+askLife/10 {
		now = f.now()
		fresh, err = f.refresh(ctx, host, hit)
	}
	switch {
	case err == nil:
		fresh.at, fresh.began = now, began
	case hit:
		fresh = known
	default:
		return nil, err
	}
	fresh.until = now.Add(rememberFor)
	f.remember(host, fresh)
	return fresh.sites, nil
}

// Serves reports whether a site or a preview is published at a host name, either for the whole host or below some of
// its paths; shared means only below paths.
func (h *Host) Serves(ctx context.Context, host string) (served, shared bool, err error) {
	sites, err := h.find(ctx, strings.ToLower(host))
	served = len(sites) > 0
	return served, served && sites[len(sites)-1].Base != "", err // the last one has the shortest path
}

// choose returns the site for a request to a host: the one with the longest matching path, which must not be
// percent-encoded in the request. rest is the request's path below it.
func choose(sites []Site, at *url.URL) (s Site, rest string, ok bool) {
	for _, s := range sites {
		if s.Base == "" {
			return s, at.Path, true
		}
		if rest, ok := route.Below(at.Path, s.Base); ok {
			if _, plain := route.Below(at.RawPath, s.Base); plain || at.RawPath == "" {
				return s, rest, true
			}
		}
	}
	return Site{}, "", false
}

// recall returns the last result for a host, and the number of completed lookups.
func (f *finder) recall(host string) (known found, hit bool, ended int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	known, hit = f.recallLocked(host)
	return known, hit, f.ended
}

func (f *finder) recallLocked(host string) (found, bool) {
	if known, hit := f.known[host]; hit {
		return known, true
	}
	known, hit := f.absent[host]
	return known, hit
}

// remember caches a result. Of two concurrent lookups, either may have read the newer state. If they differ, the
// entry expires immediately, because a reader must never see an older version than before.
func (f *finder) remember(host string, fresh found) {
	f.mu.Lock()
	defer f.mu.Unlock()
	other, hit := f.recallLocked(host)
	again := fresh.ended > 0 // the previous result is stored again, because the database did not respond
	if again && hit && other.ended > fresh.ended {
		return
	}
	if !again {
		f.ended++
		fresh.ended = f.ended
	}
	if !again && hit && other.ended > fresh.began && !slices.Equal(other.sites, fresh.sites) {
		fresh.until = time.Time{}
	}
	if len(fresh.sites) == 0 {
		delete(f.known, host)
		if len(f.absent) >= maxAbsent {
			clear(f.absent)
		}
		f.absent[host] = fresh
		return
	}
	delete(f.absent, host)
	if _, hit := f.known[host]; !hit && len(f.known) >= maxKnown {
		for other := range f.known { // any entry
			delete(f.known, other)
			break
		}
	}
	f.known[host] = fresh
}

// refresh queries the database, with a short timeout if there is an older result to fall back on.
func (f *finder) refresh(ctx context.Context, host string, fallback bool) (found, error) {
	if fallback {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, askLife)
		defer cancel()
	}
	sites, err := f.ask(ctx, host)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return found{}, err
	}
	return found{sites: sites}, nil
}

// previewHost reports whether a host name belongs to previews.
func (f *finder) previewHost(host string) bool {
	return f.preview != "" && strings.HasSuffix(host, "."+f.preview)
}

func (f *finder) ask(ctx context.Context, host string) ([]Site, error) {
	if f.previewHost(host) {
		live, err := f.sites.FindLivePreview(ctx, deploy.FromHostLabel(strings.TrimSuffix(host, "."+f.preview)))
		if err != nil {
			return nil, err
		}
		return []Site{siteOf(live, true)}, nil
	}
	list, err := f.sites.ListLive(ctx, host)
	var out []Site
	for _, live := range list {
		out = append(out, siteOf(live, false))
	}
	return out, err
}

func siteOf(live store.Live, preview bool) Site {
	return Site{Base: live.Path, ProjectID: live.ProjectID, OrganizationID: live.OrganizationID,
		ManifestKey: live.ManifestKey, Preview: preview, Access: live.Access}
}
