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

// Sites is what the host needs of the store.
type Sites interface {
	// ListLive returns all sites of a host, those with the longest paths first.
	ListLive(ctx context.Context, host string) ([]store.Live, error)
	FindLivePreview(ctx context.Context, deploymentID string) (store.Live, error)
}

// Site is what a host name and a path resolve to at this moment.
type Site struct {
	Base           string // path of its host that it is below, such as /docs; "" = it has the whole host
	ProjectID      string
	OrganizationID string
	ManifestKey    string // "" while nothing was published yet
	Preview        bool
	Access         access.Mode // who may read it; "" = everybody

	closed  bool   // the reader may see nothing of what is published
	version string // name of the version that the request is in; "" = the default one, or the site has none
	home    string // key of the default version's manifest; "" unless version is set
	stuck   bool   // the version's newest commit cannot be built: an update leaves it as it is
}

// found remembers a look-up for a moment; a host name of sites or not.
type found struct {
	sites []Site    // those with the longest paths first; must not be changed
	at    time.Time // when the database said so
	until time.Time // when it is looked up again
	began int       // look-ups of all hosts that had ended when this one began
	ended int       // and when it ended, itself included
}

// finder maps host names to their sites. Answers are remembered for a fraction of a second, so that a busy site asks the
// database a few times a second and a published change shows everywhere at once.
type finder struct {
	sites   Sites
	preview string // domain below which previews live
	now     func() time.Time

	mu     sync.Mutex
	known  map[string]found // guarded by mu; hosts of sites, the fallback during an outage of the database
	absent map[string]found // guarded by mu; all other hosts
	ended  int              // guarded by mu; look-ups that ended
}

const (
	rememberFor = 250 * time.Millisecond
	// Callers invent as many host names as they like, so those without a site have a bound of their own: they must
	// neither fill memory nor evict the sites.
	maxAbsent = 10_000
	maxKnown  = 100_000
	// While the database does not answer, readers go on seeing what it said last, up to this age.
	outage  = 10 * time.Minute
	askLife = 2 * time.Second // how long such a reader waits for the database
)

// find returns the sites of a host name, those with the longest paths first; nil when none answers there.
func (f *finder) find(ctx context.Context, host string) ([]Site, error) {
	now := f.now()
	known, hit, began := f.recall(host)
	if hit && now.Before(known.until) {
		return known.sites, nil
	}
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil || !strings.Contains(host, ".") {
		return nil, nil // addresses and single names are never a site's domain
	}
	hit = hit && len(known.sites) > 0 && now.Before(known.at.Add(outage))
	fresh, err := f.refresh(ctx, host, hit)
	// this process stood still, not the database: what was known is older than it seems
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

// Serves reports whether a site or a preview is published at a host name, or below paths of it; shared if it is below
// paths only.
func (h *Host) Serves(ctx context.Context, host string) (served, shared bool, err error) {
	sites, err := h.find(ctx, strings.ToLower(host))
	served = len(sites) > 0
	return served, served && sites[len(sites)-1].Base != "", err // the shortest path is the last
}

// choose returns the site that a request to a host is for: the one with the longest path, which the request has to spell
// as it is, without percent-encoding. rest is the request's path below it.
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

// recall returns what the database said about a host last, and how many look-ups have ended.
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

// remember keeps an answer for a moment. Of two look-ups at the same time either may have read the newer answer. When
// they differ, the next reader asks again: a reader must not see an older version than before.
func (f *finder) remember(host string, fresh found) {
	f.mu.Lock()
	defer f.mu.Unlock()
	other, hit := f.recallLocked(host)
	again := fresh.ended > 0 // it is what was known before, because the database did not answer
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
		for other := range f.known { // any one of them
			delete(f.known, other)
			break
		}
	}
	f.known[host] = fresh
}

// refresh asks the database; not for long when there is an older answer to fall back on.
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

// previewHost reports whether a name is one that previews have.
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
