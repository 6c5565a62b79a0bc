package analytics_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/serve/analytics"
)

// shelf is a site, given as its file names.
type shelf []string

func (s shelf) Has(name string) bool {
	for _, n := range s {
		if n == name {
			return true
		}
	}
	return false
}

func (shelf) Read(context.Context, string) ([]byte, error) {
	return nil, errors.New("nobody reads here")
}

// Invented paths do not displace existing pages, and all forms of a page's path count as the same page.
func TestUnknownPathsAreCountedTogether(t *testing.T) {
	own := site
	own.Library = sitereader.New("x", shelf{"index.html", "guides/start.html", "über.html", "api/index.html"})
	l := &ledger{}
	b := newBeacon(l, nil)
	b.Count().ServeSite(httptest.NewRecorder(), request("POST", "/", browser, `[
		{"kind":"view","path":"/"}, {"kind":"view","path":"/guides/start"}, {"kind":"view","path":"/%C3%BCber"}, {"kind":"view","path":"/api"},
		{"kind":"view","path":"/made/up/1"}, {"kind":"view","path":"/made/up/2"},
		{"kind":"click","query":"a","target":"/guides/start#x"}, {"kind":"click","query":"a","target":"/made/up"},
		{"kind":"try","path":"/api","target":"GET /plants","status":200}, {"kind":"try","path":"/made/up","target":"GET /made-up","status":200}]`), own)
	b.Served(request("GET", "/%C3%BCber", "GPTBot/1.1", ""), own, "über.html", 200)
	want := []string{"view human /", "view human /guides/start", "view human /über", "view human /api",
		"view human (other)", "view human (other)",
		"click human a /guides/start", "click human a (other)", "try human /api  GET /plants",
		"try human (other)  (other)", "view training /über"}
	if got := l.lines(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q", got)
	}
}

// A program is one visitor, whatever its user agent, and requests from one address are limited.
func TestProgramCannotInflateVisitorCounts(t *testing.T) {
	l := &ledger{}
	b := newBeacon(l, func(o *analytics.Options) { o.ServedPerMinute = 5 })
	seen := map[[8]byte]bool{}
	for i := range 4 {
		b.Served(request("GET", "/a", fmt.Sprint("curl/", i), ""), site, "a.html", 200)
	}
	for range 4 {
		b.Served(request("GET", "/gone", browser, ""), site, "", 404)
	}
	for _, e := range l.events {
		if e.Kind == audience.View {
			seen[e.Visitor] = true
		}
	}
	if len(seen) != 1 || len(l.events) != 5 || l.refuse != 3 {
		t.Errorf("%d visitors, %d events, %d refused", len(seen), len(l.events), l.refuse)
	}
}

// Two readers on one network with the same browser do not overwrite each other's votes; one reader's vote and comment
// are stored together.
func TestVotesAreGroupedByPageView(t *testing.T) {
	l := &ledger{}
	d := newBeacon(l, nil).Feedback()
	for _, once := range []string{"0123456789abcdef", "0123456789abcdef", "fedcba9876543210", "short",
		strings.Repeat("x", 65)} {
		w := httptest.NewRecorder()
		if d.ServeSite(w, request("POST", "/", browser, `{"path":"/a","helpful":true,"once":"`+once+`"}`),
			site); w.Code != 204 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	m := l.said
	if m[0].Mark == 0 || m[0].Mark != m[1].Mark || m[2].Mark == m[0].Mark || m[2].Mark == 0 || m[3].Mark != 0 ||
		m[4].Mark != 0 {
		t.Errorf("%+v", m)
	}
}

// One network alone cannot use up a site's daily limit.
func TestFeedbackIsLimitedPerNetwork(t *testing.T) {
	l := &ledger{}
	d := newBeacon(l, nil).Feedback()
	for i := range analytics.NetworkPerHour + 20 {
		r := request("POST", "/", browser, `{"path":"/a","helpful":true}`)
		r.RemoteAddr = fmt.Sprintf("192.0.2.%d:1234", i)
		d.ServeSite(httptest.NewRecorder(), r, site)
	}
	if len(l.said) != analytics.NetworkPerHour {
		t.Errorf("%d were stored", len(l.said))
	}
}
