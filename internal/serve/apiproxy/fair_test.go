package apiproxy_test

import (
	"bytes"
	"net/http"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/apiproxy"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// F4: a visitor who does not read the response loses the slot, even though the API sent its whole response.
func TestSlowVisitorIsDisconnected(t *testing.T) {
	big := bytes.Repeat([]byte("x"), 19<<20)
	target := serveAt(t, "127.0.0.2:0", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(big) })
	g := open(t, apiproxy.Options{Limits: apiproxy.Limits{Open: 1, Time: 1500 * time.Millisecond}}, target.URL)
	ended := make(chan struct{})
	inner := g.site.Config.Handler
	g.site.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		inner.ServeHTTP(w, r)
	})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.site.URL+capability.ProxyPath, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Lectern-Target", target.URL)
	r.Header.Set("Lectern-Method", "GET")
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }() // the body is never read
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("the proxy still waits for the visitor")
	}
	if g.counted(apiproxy.Cut) != 1 {
		t.Error(g.logged())
	}
}

// A5: a single visitor or site cannot take all slots.
func TestConcurrencyIsLimitedPerVisitorAndSite(t *testing.T) {
	for name, limits := range map[string]apiproxy.Limits{"visitor": {OpenVisitor: 2}, "site": {OpenSite: 2}} {
		arrived, goOn := make(chan struct{}), make(chan struct{})
		target := serveAt(t, "127.0.0.2:0", func(http.ResponseWriter, *http.Request) {
			arrived <- struct{}{}
			<-goOn
		})
		g := open(t, apiproxy.Options{Limits: limits}, target.URL)
		ended := make(chan reply)
		for range 2 {
			go func() { ended <- g.send(call{target: target.URL}) }()
			<-arrived
		}
		g.refused("the third of a "+name, g.send(call{target: target.URL}), http.StatusServiceUnavailable, "busy")
		close(goOn)
		<-ended
		<-ended
		go func() { <-arrived }()
		if got := g.send(call{target: target.URL}); got.Header.Get("Lectern-Status") != "200" {
			t.Errorf("%s, later: %s", name, got.body)
		}
	}
}

// F5: the operator's list applies only to sites whose playground uses the server; branch previews have no proxy.
func TestOperatorListAppliesToPublishedPlaygrounds(t *testing.T) {
	target := serveAt(t, "127.0.0.1:0", echo)
	for _, closed := range []bool{false, true} {
		g := open(t, apiproxy.Options{Origins: []string{target.URL}, Closed: closed})
		if got := g.send(call{target: target.URL}); got.Header.Get("Lectern-Status") != "418" {
			t.Fatalf("a playground whose descriptions name no server: %s", got.body)
		}
		seen := target.connections()
		delete(g.files, capability.OriginsFile)
		g.refused("a site without a playground", g.send(call{target: target.URL}), http.StatusBadRequest,
			"origin_not_allowed")
		g.publish(target.URL)
		g.preview = true
		g.refused("a preview", g.send(call{target: target.URL}), http.StatusForbidden, "no_proxy")
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, g.site.URL+capability.ProxyPath, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.do(r); got.StatusCode != http.StatusForbidden || got.Header.Get("Lectern-Proxy") != "" {
			t.Errorf("a preview: %d", got.StatusCode)
		}
		if target.connections() != seen {
			t.Error("the preview reached the API")
		}
		g = open(t, apiproxy.Options{Origins: []string{target.URL}, Closed: closed, Previews: true})
		g.preview = true
		if got := g.send(call{target: target.URL}); got.Header.Get("Lectern-Status") != "418" {
			t.Errorf("a preview on the author's machine: %s", got.body)
		}
	}
}

// F1: the proxy is not served under a host name unknown to the operator, such as one that someone else pointed at
// this server.
func TestProxyIsServedOnlyUnderKnownHosts(t *testing.T) {
	target := serveAt(t, "127.0.0.2:0", echo)
	for name, known := range map[string]bool{"docs.example.com": true, "other.example.com": false} {
		g := open(t, apiproxy.Options{Hosts: func(s siteapi.Site) bool { return s.Host == name }}, target.URL)
		got := g.send(call{target: target.URL})
		if known && got.Header.Get("Lectern-Status") != "418" {
			t.Errorf("a known name: %s", got.body)
		} else if !known {
			g.refused("another name", got, http.StatusForbidden, "no_proxy")
		}
	}
}

// F6: a call to an internal API is recorded in the audit log even if it gets no response, or if the previous record
// could not be written.
func TestEveryInternalCallIsAudited(t *testing.T) {
	inside := serveAt(t, "127.0.0.1:0", rude)
	g := open(t, apiproxy.Options{Guard: &outbound.Guard{}, Origins: []string{inside.URL}})
	g.refused("no answer", g.send(call{target: inside.URL + "/garbage", method: "DELETE"}), http.StatusBadGateway,
		"api_unreachable")
	if len(g.audited) != 1 {
		t.Errorf("without an answer: %q", g.audited)
	}
	g = open(t, apiproxy.Options{Guard: &outbound.Guard{}, Origins: []string{inside.URL}})
	g.deaf = true
	g.send(call{target: inside.URL + "/fine"})
	g.mu.Lock()
	g.deaf = false
	g.mu.Unlock()
	for range 3 {
		g.send(call{target: inside.URL + "/fine"})
	}
	if len(g.audited) != 1 {
		t.Errorf("after a failure: %q", g.audited)
	}
}
