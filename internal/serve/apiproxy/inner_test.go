package apiproxy_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/serve/apiproxy"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// F6: an origin listed by the operator may have a private address, but only with exactly that host and port; calls to
// it are recorded in the audit log, once an hour.
func TestListedTargetIsReachableAndAudited(t *testing.T) {
	target := serveAt(t, "127.0.0.1:0", echo)
	neighbour := serveAt(t, "127.0.0.1:0", echo)
	house := serveAt(t, "127.0.0.3:"+target.port(), echo)
	names := []string{target.URL, neighbour.URL, house.URL, "http://localhost:" + target.port(),
		"https://127.0.0.1:" + target.port()}
	g := open(t, apiproxy.Options{Guard: &outbound.Guard{}}, names...) // the descriptions name all of them
	for _, n := range names {
		g.refused("by default: "+n, g.send(call{target: n}), http.StatusForbidden, "address_not_allowed")
	}
	g = open(t, apiproxy.Options{Guard: &outbound.Guard{}, Origins: []string{target.URL + "/"}}, names[1:]...)
	for range 3 {
		if got := g.send(call{target: target.URL + "/v1"}); got.Header.Get("Lectern-Status") != "418" {
			t.Fatalf("%d %s", got.StatusCode, got.body)
		}
	}
	for _, n := range names[1:] {
		// The same address with another scheme: the API cannot respond to that.
		if n == "https://127.0.0.1:"+target.port() {
			g.refused(n, g.send(call{target: n}), http.StatusBadGateway, "api_unreachable")
			continue
		}
		g.refused("neighbour: "+n, g.send(call{target: n}), http.StatusForbidden, "address_not_allowed")
	}
	g.mu.Lock()
	g.now = g.now.Add(time.Hour)
	g.mu.Unlock()
	g.send(call{target: target.URL})
	if want := []string{"prj_a " + target.URL, "prj_a " + target.URL}; !slices.Equal(g.audited, want) {
		t.Errorf("audited %q, want %q", g.audited, want)
	}
	if neighbour.connections()+house.connections() != 0 {
		t.Error("another target was reached")
	}
}

// F7: an air-gapped playground calls only what the operator lists, whatever the site describes.
func TestRestrictedPlaygroundUsesOnlyOperatorList(t *testing.T) {
	listed, described := serveAt(t, "127.0.0.2:0", echo), serveAt(t, "127.0.0.2:0", echo)
	g := open(t, apiproxy.Options{Closed: true, Origins: []string{listed.URL}}, described.URL, "https://example.com")
	if got := g.send(call{target: listed.URL}); got.Header.Get("Lectern-Status") != "418" {
		t.Errorf("%s", got.body)
	}
	for _, target := range []string{described.URL, "https://example.com/"} {
		g.refused(target, g.send(call{target: target}), http.StatusBadRequest, "origin_not_allowed")
	}
	if described.connections() != 0 {
		t.Error("the target was reached")
	}
}

func TestUnknownCertificateIsRefused(t *testing.T) {
	target := httptest.NewTLSServer(http.HandlerFunc(echo))
	defer target.Close()
	g := open(t, apiproxy.Options{Origins: []string{target.URL}})
	g.refused("self-signed", g.send(call{target: target.URL}), http.StatusBadGateway, "bad_certificate")
}
