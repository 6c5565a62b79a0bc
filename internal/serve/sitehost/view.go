package sitehost

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// This file selects the version of a site that a reader may see. Each view has its own manifest, so files and
// endpoints served from it contain nothing that the reader may not see.

// forReader returns the site with the manifest for a request's reader. On a public site readers have no groups.
func (h *Host) forReader(r *http.Request, s Site) (Site, error) {
	if s.ManifestKey == "" || !s.Access.Protected() {
		return s, nil
	}
	who := siteapi.ReaderOf(r)
	v := reader.New(who.Groups...)
	if who.Anonymous {
		v = reader.View{Anonymous: true}
	}
	key, err := h.viewKey(r.Context(), s, v)
	s.closed, s.ManifestKey = key == "" && err == nil, key
	return s, err
}

// isPublic reports whether a request is for a public page or file of a protected site, directly or by redirect.
// Endpoints such as search are not public.
func (h *Host) isPublic(r *http.Request, s Site) bool {
	if s.ManifestKey == "" || r.Method != http.MethodGet && r.Method != http.MethodHead || h.program(r.URL.Path) != nil ||
		r.URL.Path == deploy.AgentPath {
		return false
	}
	key, err := h.viewKey(r.Context(), s, reader.View{Anonymous: true})
	if err != nil || key == "" {
		return false
	}
	t, err := h.tree(r.Context(), key)
	return err == nil && t.leadsToFile(r)
}

// maxHops is the number of redirects followed to find out whether they lead to a file.
const maxHops = 5

// leadsToFile reports whether a request leads to a file of the site, directly or by redirects. Redirects to other
// hosts do not count.
func (t *tree) leadsToFile(r *http.Request) bool {
	for range maxHops {
		a := t.resolve(r)
		if a.location == "" {
			return a.name != ""
		}
		to, err := url.Parse(a.location)
		if err != nil || to.Scheme != "" || to.Host != "" || !strings.HasPrefix(to.Path, "/") {
			return false
		}
		r = &http.Request{URL: to, Header: r.Header}
	}
	return false
}

// viewKey returns the manifest key for a view: the view's own key or, if the view is not built, the key of the largest
// built view that shows nothing beyond it. It is "" if there is none.
func (h *Host) viewKey(ctx context.Context, s Site, v reader.View) (string, error) {
	if v.IsZero() {
		return s.ManifestKey, nil
	}
	t, err := h.tree(ctx, s.ManifestKey)
	if err != nil {
		return "", err
	}
	v = v.Within(t.manifest.Groups)
	views, keys := []reader.View{{}}, []string{s.ManifestKey}
	for _, built := range t.manifest.Views {
		if w, err := reader.Parse(built.View); err == nil {
			views, keys = append(views, w), append(keys, built.Manifest)
		}
	}
	for {
		i := v.Largest(views)
		h.asked.add(s, v, s.stuck || i >= 0 && views[i].Key() == v.Key()) // an update would not build it either
		if i < 0 {
			return "", nil
		}
		if keys[i] == "" { // the view was built, and has no pages
			return "", nil
		}
		// An older release, which does not know views, may have removed the manifest of a view.
		if _, err := h.tree(ctx, keys[i]); i == 0 || !fault.Is(err, fault.NotFound) {
			return keys[i], err
		}
		views, keys = append(views[:i:i], views[i+1:]...), append(keys[:i:i], keys[i+1:]...)
	}
}

// ViewLibrary returns the content that is visible in a view of the site with the given live manifest.
func (h *Host) ViewLibrary(
	ctx context.Context, projectID, manifestKey string, v reader.View,
) (*sitereader.Library, error) {
	key, err := h.viewKey(ctx, Site{ProjectID: projectID, ManifestKey: manifestKey}, v)
	if err != nil {
		return nil, err
	}
	if key == "" {
		return nil, fault.Newf(fault.NotFound, "view_empty", "There is nothing on this site for %s.", v)
	}
	return h.Library(ctx, key)
}

// asked reports the views that readers request, each view at most once per interval.
type asked struct {
	ask func(Site, reader.View, bool) // nil = not reported
	now func() time.Time

	mu sync.Mutex
	at map[string]time.Time // guarded by mu; when each project's view was last reported
}

const (
	askEvery = time.Minute    // for views that are not built
	useEvery = 24 * time.Hour // for built views: updates continue to build those in use
	maxAsked = 10_000
)

// add records that a reader requested a view.
func (a *asked) add(s Site, v reader.View, built bool) {
	if a.ask == nil || s.Preview || v.IsZero() {
		return
	}
	key, every, now := s.ProjectID+"\n"+v.Key(), askEvery, a.now()
	if built {
		key, every = key+"\nbuilt", useEvery
	}
	a.mu.Lock()
	last, known := a.at[key]
	fresh := !known || now.Sub(last) >= every
	if fresh {
		if len(a.at) >= maxAsked {
			clear(a.at)
		}
		a.at[key] = now
	}
	a.mu.Unlock()
	if fresh {
		a.ask(s, v, built)
	}
}
