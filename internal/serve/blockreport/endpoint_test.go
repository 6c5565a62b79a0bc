package blockreport

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/blocked"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

type memory []blocked.Entry

func (m *memory) AddBlocked(_ context.Context, e blocked.Entry) error {
	*m = append(*m, e)
	return nil
}

const report = `{"csp-report": {"document-uri": "https://docs.example.com/start", "blocked-uri": "https://cdn.example.com/x.js",
	"effective-directive": "script-src-elem", "original-policy": "ignored", "extra": [1, {"a": null}]}}`

// send posts a body as a page of the site does, unless headers say otherwise.
func send(m *memory, n int, method, body string, site siteapi.Site, header ...string) int {
	d := New(Options{Store: m, Now: func() time.Time { return time.Unix(1_800_000_000, 0) },
		Logger: slog.New(slog.DiscardHandler)})
	status := 0
	for range n {
		r := httptest.NewRequest(method, "https://docs.example.com/_lectern/api/blocked", strings.NewReader(body))
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		d.ServeSite(w, r, site)
		status = w.Code
	}
	return status
}

var docs = siteapi.Site{ProjectID: "prj_a", Host: "docs.example.com"}

func TestReportsAreCountedForTheirProject(t *testing.T) {
	var m memory
	if status := send(&m, 1, http.MethodPost, report, docs); status != http.StatusNoContent || len(m) != 1 {
		t.Fatalf("%d %v", status, m)
	}
	if e := m[0]; e.ProjectID != "prj_a" || e.Kind != "script" || e.Source != "https://cdn.example.com" ||
		e.Page != "/start" {
		t.Errorf("%+v", e)
	}
}

func TestHostileReportsAreNotStored(t *testing.T) {
	for name, c := range map[string]struct {
		body   string
		site   siteapi.Site
		header []string
	}{
		"no JSON":       {"{", docs, nil},
		"another shape": {`[{"type":"csp-violation"}]`, docs, nil},
		"no project":    {report, siteapi.Site{}, nil},
		"another site":  {report, docs, []string{"Sec-Fetch-Site", "cross-site"}},
		"too long":      {strings.Replace(report, "ignored", strings.Repeat("x", maxBody), 1), docs, nil},
		"deep":          {strings.Repeat("[", 10_000), docs, nil},
	} {
		var m memory
		if status := send(&m, 1, http.MethodPost, c.body, c.site, c.header...); status != http.StatusNoContent ||
			len(m) != 0 {
			t.Errorf("%s: %d %v", name, status, m)
		}
	}
	var m memory
	if status := send(&m, 1, http.MethodGet, "", docs); status != http.StatusMethodNotAllowed {
		t.Error(status)
	}
}

func TestReportsFromOneAddressAreRateLimited(t *testing.T) {
	var m memory
	send(&m, perCaller+20, http.MethodPost, report, docs)
	if len(m) != perCaller {
		t.Error(fmt.Sprint(len(m)), "reports were stored")
	}
}

// Many senders cannot overload the database with reports about one site, or use up another site's limit.
func TestReportsAboutOneSiteAreRateLimited(t *testing.T) {
	var m memory
	d := New(Options{Store: &m, Now: func() time.Time { return time.Unix(1_800_000_000, 0) },
		Logger: slog.New(slog.DiscardHandler)})
	post := func(i int, s siteapi.Site) {
		r := httptest.NewRequest(http.MethodPost, "https://docs.example.com/_lectern/api/blocked", strings.NewReader(report))
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.RemoteAddr = fmt.Sprintf("192.0.2.%d:1234", i%200)
		d.ServeSite(httptest.NewRecorder(), r, s)
	}
	for i := range perSite + 50 {
		post(i, docs)
	}
	if len(m) != perSite {
		t.Error(len(m), "reports of one site were stored")
	}
	if post(7, siteapi.Site{ProjectID: "prj_b"}); len(m) != perSite+1 || m[perSite].ProjectID != "prj_b" {
		t.Error("another site is limited too")
	}
}

// One network cannot fill a project's list with sources, nor give any of them a high count.
func TestSourcesAndCountsAreLimitedPerNetwork(t *testing.T) {
	var m memory
	now := time.Unix(1_800_000_000, 0)
	d := New(Options{Store: &m, Now: func() time.Time { return now }, Logger: slog.New(slog.DiscardHandler)})
	post := func(address, source string) {
		body := strings.Replace(report, "cdn.example.com", source, 1)
		r := httptest.NewRequest(http.MethodPost, "https://docs.example.com/_lectern/api/blocked", strings.NewReader(body))
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.RemoteAddr = address
		d.ServeSite(httptest.NewRecorder(), r, docs)
		now = now.Add(2 * time.Second) // slow enough for the limit per minute
	}
	for i := range perNetwork + 20 {
		post(fmt.Sprintf("[2001:db8::%x]:1", i), fmt.Sprintf("s%d.example.com", i)) // one customer's network
	}
	if len(m) != perNetwork {
		t.Errorf("one network added %d sources", len(m))
	}
	m = nil
	post("[2001:db8::1]:1", "s1.example.com")
	post("192.0.2.7:1", "s1.example.com")
	now = now.Add(24 * time.Hour)
	post("[2001:db8::1]:1", "s1.example.com")
	var counts []int64
	for _, e := range m {
		counts = append(counts, e.Reports)
	}
	if fmt.Sprint(counts) != "[0 1 1]" {
		t.Errorf("counted %v: again, from another network, on the next day", counts)
	}
}
