package browser

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// request is what the browser reported about one request. The watch's lock guards it.
type request struct {
	url, page string
	kind      network.ResourceType
	failure   string // "" = it succeeded
	loader    cdp.LoaderID
}

func (r request) String() string {
	return fmt.Sprintf("%s asks for %s (%s): %s", r.page, r.url, r.kind, r.failure)
}

// watch records the requests of a tab's pages, as the browser reports them.
type watch struct {
	mu    sync.Mutex
	all   map[network.RequestID]*request
	order []network.RequestID
	ended map[network.RequestID]bool
	frame cdp.FrameID   // of the tab itself
	now   cdp.LoaderID  // of its current document; requests of an abandoned document never end
	news  chan struct{} // capacity 1; filled at each event
}

func newWatch() *watch {
	return &watch{all: map[network.RequestID]*request{}, ended: map[network.RequestID]bool{}, news: make(chan struct{}, 1)}
}

// openIsolatedTab opens a tab that can reach only the test's own servers and records its requests.
func openIsolatedTab(t *testing.T) (*page, *watch) {
	t.Helper()
	p := tab(t, withoutNetwork)
	w := newWatch()
	follow(p.ctx, w, chromedp.Events(p.ctx, network.RequestWillBeSent), func(e network.EventRequestWillBeSent) {
		if w.all[e.RequestID] == nil {
			w.order = append(w.order, e.RequestID)
		}
		w.all[e.RequestID] = &request{url: e.Request.URL, page: e.DocumentURL, kind: e.Type,
			failure: w.request(e.RequestID).failure, loader: e.LoaderID}
		if w.frame == "" {
			w.frame = e.FrameID
		}
		if e.Type == network.ResourceTypeDocument && e.FrameID == w.frame {
			w.now = e.LoaderID
		}
	})
	follow(p.ctx, w, chromedp.Events(p.ctx, network.ResponseReceived), func(e network.EventResponseReceived) {
		if e.Response.Status >= 400 {
			w.fail(e.RequestID, fmt.Sprint("status ", e.Response.Status))
		}
	})
	follow(p.ctx, w, chromedp.Events(p.ctx, network.LoadingFailed), func(e network.EventLoadingFailed) {
		if !e.Canceled {
			w.fail(e.RequestID, e.ErrorText)
		}
		w.ended[e.RequestID] = true
	})
	follow(p.ctx, w, chromedp.Events(p.ctx, network.LoadingFinished),
		func(e network.EventLoadingFinished) { w.ended[e.RequestID] = true })
	return p, w
}

// follow applies events as they arrive. Events of one kind are in order; different kinds are not.
func follow[E any](ctx context.Context, w *watch, events iter.Seq2[E, error], do func(E)) {
	go func() {
		for e, err := range events {
			if err != nil || ctx.Err() != nil {
				return
			}
			w.mu.Lock()
			do(e)
			w.mu.Unlock()
			select {
			case w.news <- struct{}{}:
			default:
			}
		}
	}()
}

// request returns the information reported about a request. The caller holds the lock.
func (w *watch) request(id network.RequestID) request {
	if r := w.all[id]; r != nil {
		return *r
	}
	return request{}
}

// fail records why a request failed, even if the request itself has not been reported yet. The caller holds the lock.
func (w *watch) fail(id network.RequestID, why string) {
	if w.all[id] == nil {
		w.all[id] = &request{}
		w.order = append(w.order, id)
	}
	w.all[id].failure = why
}

// waitIdle returns when all requests have succeeded or failed.
func (w *watch) waitIdle(p *page) {
	p.t.Helper()
	w.waitUntil(p, func(open, _ []request) bool { return len(open) == 0 })
}

// waitUntil waits until holds is true for the open requests and all requests.
func (w *watch) waitUntil(p *page, holds func(open, all []request) bool) {
	p.t.Helper()
	deadline := time.After(30 * time.Second)
	for {
		open, all := w.state()
		if holds(open, all) {
			return
		}
		select {
		case <-w.news:
		case <-deadline:
			p.t.Fatalf("%d requests have not ended, such as %v", len(open), open[:min(1, len(open))])
		}
	}
}

// finish leaves the page and returns all requests. The last request is for a page that every bundle has. Once the
// browser has reported it, it has reported all earlier ones.
func (w *watch) finish(p *page, base string) (out []request) {
	p.t.Helper()
	w.waitIdle(p)
	last := base + "404.html?settled"
	run(p, chromedp.Navigate(last))
	w.waitUntil(p, func(open, all []request) bool {
		out = all
		return len(open) == 0 && slices.ContainsFunc(all, func(r request) bool { return r.url == last })
	})
	return out
}

// state returns the open requests, and all requests in order.
func (w *watch) state() (open, all []request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range w.order {
		r := *w.all[id]
		all = append(all, r)
		if !w.ended[id] && r.loader == w.now && !strings.HasPrefix(r.url, "data:") {
			open = append(open, r)
		}
	}
	return open, all
}
