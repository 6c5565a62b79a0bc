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

// request returns what is known of a request. The caller holds the lock.
type request struct {
	url, page string
	kind      network.ResourceType
	failure   string // "" = it was answered
	loader    cdp.LoaderID
}

func (r request) String() string {
	return fmt.Sprintf("%s asks for %s (%s): %s", r.page, r.url, r.kind, r.failure)
}

// watch records the requests of the pages of a tab, as the browser reports them.
type watch struct {
	mu    sync.Mutex
	all   map[network.RequestID]*request
	order []network.RequestID
	ended map[network.RequestID]bool
	frame cdp.FrameID  // of the tab itself
	now   cdp.LoaderID // of the document that it shows: what others still asked for when they were left has no end
}

// openIsolatedTab opens a tab that can reach only the test's own servers, and records its requests.
func openIsolatedTab(t *testing.T) (*page, *watch) {
	t.Helper()
	p := tab(t, withoutNetwork)
	w := &watch{all: map[network.RequestID]*request{}, ended: map[network.RequestID]bool{}}
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

// follow takes events as they come. Those of one kind are in order; kinds overtake each other.
func follow[E any](ctx context.Context, w *watch, events iter.Seq2[E, error], do func(E)) {
	go func() {
		for e, err := range events {
			if err != nil || ctx.Err() != nil {
				return
			}
			w.mu.Lock()
			do(e)
			w.mu.Unlock()
		}
	}()
}

// request returns what is known of a request. The caller holds the lock.
func (w *watch) request(id network.RequestID) request {
	if r := w.all[id]; r != nil {
		return *r
	}
	return request{}
}

// fail notes why a request failed, even if the request itself has not been reported yet. The caller holds the lock.
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
	deadline := time.Now().Add(30 * time.Second)
	for {
		open, _ := w.state()
		if len(open) == 0 {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("%d requests have no end, such as %v", len(open), open[0])
		}
		run(p, chromedp.Evaluate[bool](`new Promise((done) => setTimeout(() => done(true), 10))`,
			chromedp.EvalAwaitPromise))
	}
}

// finish leaves the page and returns all requests. The last request is for a page that every bundle has:
// once the browser has reported it, it has reported everything before it.
func (w *watch) finish(p *page, base string) []request {
	p.t.Helper()
	w.waitIdle(p)
	last := base + "404.html?settled"
	run(p, chromedp.Navigate(last))
	for {
		w.waitIdle(p)
		if _, all := w.state(); slices.ContainsFunc(all, func(r request) bool { return r.url == last }) {
			return all
		}
	}
}

// state returns what has not ended, and all requests in order.
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
