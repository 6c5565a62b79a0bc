package adminapi_test

import (
	"encoding/csv"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/store"
)

// addFeedback stores a reader's feedback on a tenant's site.
func (w *world) addFeedback(t testing.TB, x *tenant) {
	t.Helper()
	_, err := w.store.AddFeedback(t.Context(), audience.Feedback{ProjectID: x.project.ID, Path: "/guides/start",
		Source: audience.ByComment, Comment: "=SUM(A1) is wrong"})
	must(t, err)
	list, _, err := w.store.ListFeedback(t.Context(), x.project.ID,
		audience.FeedbackFilter{Span: audience.Span{To: 1 << 20}}, store.Page{Limit: 1})
	must(t, err)
	x.feedback = list[0]
}

// visited stores a project's events as the counter does.
func (w *world) visited(t testing.TB, projectID string, list ...audience.Event) {
	t.Helper()
	b := audience.NewBatch(1<<20, nil)
	for _, e := range list {
		e.ProjectID = projectID
		if e.At.IsZero() {
			e.At = w.clock.Now()
		}
		b.Add(e)
	}
	must(t, w.store.AddAudience(t.Context(), b))
}

func view(path string, c audience.Class, who byte) audience.Event {
	return audience.Event{Kind: audience.View, Class: c, Path: path, Visitor: [8]byte{who},
		Referrer: "news.example.com"}
}

// figures returns a world with a tenant whose site was visited yesterday and today.
func figures(t *testing.T) (*world, tenant, func(path string) reply) {
	t.Helper()
	w, x := newWorldOf(t, account.PlanPro, nil)
	yesterday := w.clock.Now().Add(-24 * time.Hour)
	// Before the default span.
	w.visited(t, x.project.ID, audience.Event{Kind: audience.View, Class: audience.Human, Path: "/old",
		At: w.clock.Now().Add(-29 * 24 * time.Hour)})
	w.visited(t, x.project.ID,
		audience.Event{Kind: audience.View, Class: audience.Human, Path: "/", Visitor: [8]byte{9}, At: yesterday})
	w.visited(t, x.project.ID, view("/a", audience.Human, 1), view("/a", audience.Human, 1), view("/b", audience.Human,
		1), view("/a", audience.Agent, 2), view("/a", audience.Trainer, 3), view("/a", audience.Indexer, 4),
		// Both clicks come from one search.
		audience.Event{Kind: audience.Search, Query: "=install", Hits: 4}, audience.Event{Kind: audience.Search,
			Query: "nothing"}, audience.Event{Kind: audience.Click, Query: "=install", Target: "/a"},
		audience.Event{Kind: audience.Click, Query: "=install", Target: "/a"},
		audience.Event{Kind: audience.Missing, Path: "/gone", Referrer: "blog.example.com"},
		audience.Event{Kind: audience.Try, Target: "GET /plants", Status: 200}, audience.Event{Kind: audience.Ask},
		audience.Event{Kind: audience.Copy})
	return w, x, func(path string) reply {
		return w.do(t, ask{"GET", "/v1/analytics/" + x.project.ID + "/" + path, x.key, "", nil})
	}
}

func TestAnalyticsMatchDocumentation(t *testing.T) {
	_, _, get := figures(t)
	for path, want := range map[string]string{
		"views":                   `{"totals":{"human":4,"ai":2,"total":6,"searchIndex":1,"training":1,"otherAi":0},"views":[{"path":"/a","human":2,"ai":2,"total":4,"searchIndex":1,"training":1,"otherAi":0},{"path":"/","human":1,"ai":0,"total":1,"searchIndex":0,"training":0,"otherAi":0},{"path":"/b","human":1,"ai":0,"total":1,"searchIndex":0,"training":0,"otherAi":0}],"hasMore":false}`,
		"views?limit=1&offset=1":  `{"totals":{"human":4,"ai":2,"total":6,"searchIndex":1,"training":1,"otherAi":0},"views":[{"path":"/","human":1,"ai":0,"total":1,"searchIndex":0,"training":0,"otherAi":0}],"hasMore":true}`,
		"views?dateTo=2026-03-04": `{"totals":{"human":1,"ai":0,"total":1,"searchIndex":0,"training":0,"otherAi":0},"views":[{"path":"/","human":1,"ai":0,"total":1,"searchIndex":0,"training":0,"otherAi":0}],"hasMore":false}`,
		"visitors?dateFrom=2026-03-04T00:00:00Z&limit=1": `{"totals":{"human":1,"ai":2,"total":3,"searchIndex":1,"training":1,"otherAi":0},"visitors":[{"path":"/a","human":1,"ai":2,"total":3,"searchIndex":1,"training":1,"otherAi":0}],"hasMore":true}`,
		"referrers":  `{"referrers":[{"referrer":"news.example.com","visits":6}],"total":6,"hasMore":false}`,
		"missing":    `{"missing":[{"path":"/gone","referrer":"blog.example.com","hits":1,"lastSeenAt":"2026-03-04T05:06:07.123456Z"}],"total":1,"hasMore":false}`,
		"playground": `{"operations":[{"operation":"GET /plants","tries":1,"succeeded":1,"refused":0,"failed":0,"lastTriedAt":"2026-03-04T05:06:07.123456Z"}],"total":1,"hasMore":false}`,
		"searches":   `{"searches":[{"searchQuery":"=install","hits":1,"ctr":1,"topClickedPage":"/a","lastSearchedAt":"2026-03-04T05:06:07.123456Z","results":4,"noResults":0,"clicks":2},{"searchQuery":"nothing","hits":1,"ctr":0,"topClickedPage":null,"lastSearchedAt":"2026-03-04T05:06:07.123456Z","results":0,"noResults":1,"clicks":0}],"totalSearches":2,"nextCursor":null}`,
		// The whole day.
		"views?dateFrom=2026-03-04&dateTo=2026-03-04T05:00:00Z&limit=1": `{"totals":{"human":3,"ai":2,"total":5,"searchIndex":1,"training":1,"otherAi":0},"views":[{"path":"/a","human":2,"ai":2,"total":4,"searchIndex":1,"training":1,"otherAi":0}],"hasMore":true}`,
		"feedback/by-page":                   `{"feedback":[{"path":"/guides/start","thumbsUp":0,"thumbsDown":0,"code":0,"total":1}],"hasMore":false}`,
		"feedback?status=resolved,dismissed": `{"feedback":[],"nextCursor":null,"hasMore":false}`,
		"feedback?source=agent":              `{"feedback":[],"nextCursor":null,"hasMore":false}`,
	} {
		if got := strings.TrimSpace(string(get(path).want(t, 200).body)); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", path, got, want)
		}
	}
	s := read[struct {
		DateFrom, DateTo string
		Totals           struct{ Searches, NoResults, Clicks, Missing, Asks, Tries, Copies int }
		Days             []struct {
			Date  string
			Views struct{ Human int }
		}
	}](t, get("summary").want(t, 200))
	if len(s.Days) != 28 || s.DateTo != "2026-03-05" || s.Days[27].Date != "2026-03-04" ||
		s.Days[27].Views.Human != 3 || s.Days[26].Views.Human != 1 || fmt.Sprint(s.Totals) != "{2 1 2 1 1 1 1}" {
		t.Errorf("%+v", s)
	}
}

// A2: errors name the field in details[].message.
func TestAnalyticsRefuseInvalidParameters(t *testing.T) {
	_, x, get := figures(t)
	_ = x
	for path, field := range map[string]string{
		"views?dateFrom=yesterday": "dateFrom", "views?dateTo=2026-13-01": "dateTo",
		"views?dateFrom=2026-03-04&dateTo=2026-03-04": "dateTo", "views?limit=251": "limit",
		"views?offset=-1":  "offset",
		"visitors?limit=0": "limit", "searches?limit=101": "limit", "searches?cursor=!": "cursor",
		"feedback?limit=101": "limit", "feedback?source=letters": "source", "feedback?status=pending,lost": "status",
		"feedback?cursor=x": "cursor", "feedback/by-page?limit=101": "limit", "summary?dateFrom=2020-01-01": "dateFrom",
		"referrers?limit=a": "limit", "missing?offset=x": "offset", "playground?format=xml": "format",
		"summary?dateTo=1": "dateTo", "referrers?dateTo=1": "dateTo", "missing?dateTo=1": "dateTo",
		"playground?dateTo=1": "dateTo",
	} {
		got := read[struct {
			Details []struct{ Field, Message string }
		}](t, get(path).want(t, 400))
		if len(got.Details) != 1 || got.Details[0].Field != field || got.Details[0].Message == "" {
			t.Errorf("%s: %+v", path, got)
		}
	}
}

func TestAnalyticsCSVContainsNoFormulas(t *testing.T) {
	w, x, get := figures(t)
	for list, want := range map[string]string{
		"views": "path /a / /b", "visitors": "path /a / /b", "searches": "searchQuery '=install nothing",
		"referrers": "referrer news.example.com", "missing": "path /gone",
		"playground": "operation GET /plants", "feedback/by-page": "path /guides/start", "feedback": "id " +
			x.feedback.ID, "summary?dateFrom=2026-03-03": "date 2026-03-03 2026-03-04",
	} {
		mark := "?"
		if strings.Contains(list, "?") {
			mark = "&"
		}
		got := get(list+mark+"format=csv").want(t, 200)
		lines, err := csv.NewReader(strings.NewReader(string(got.body))).ReadAll()
		must(t, err)
		var first []string
		for _, l := range lines {
			first = append(first, l[0])
		}
		if strings.Join(first, " ") != want ||
			!strings.HasPrefix(got.header.Get("Content-Disposition"), "attachment; filename=") {
			t.Errorf("%s: %q", list, first)
		}
	}
	if got := w.do(t, ask{"GET", "/v1/analytics/" + x.project.ID + "/feedback", x.key, "",
		map[string]string{"Accept": "text/csv"}}).
		want(t, 200); !strings.Contains(string(got.body), ",'=SUM(A1) is wrong,") {
		t.Errorf("%s", got.body)
	}
	// Some spreadsheets split lines at the semicolon.
	w.visited(t, x.project.ID, audience.Event{Kind: audience.Missing, Path: "/a;=1+1"})
	if got := get("missing?format=csv").want(t, 200); !strings.Contains(string(got.body), "\n\"/a;=1+1\",") {
		t.Errorf("%s", got.body)
	}
}

// A5: an organization's keys may make a hundred requests an hour across all operations; signed-in members are not
// limited.
func TestAnalyticsAreLimitedForKeys(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, func(o *adminapi.Options) { o.AnalyticsLimit = 2 })
	y := w.newTenant(t, "b", account.PlanPro)
	at := "/v1/analytics/" + x.project.ID
	other, _ := w.newKey(t, x.org.ID, nil)
	w.do(t, ask{"GET", at + "/views", x.key, "", nil}).want(t, 200)
	w.do(t, ask{"GET", at + "/searches", other, "", nil}).want(t, 200)
	got := w.do(t, ask{"GET", at + "/missing", x.key, "", nil}).want(t, 429)
	if got.header.Get("RateLimit-Limit") != "2" || got.header.Get("Retry-After") == "" {
		t.Errorf("%v", got.header)
	}
	w.do(t, ask{"GET", at + "/missing", "", "", nil}.as(x.members["viewer"])).want(t, 200)
	w.do(t, ask{"GET", "/v1/analytics/" + y.project.ID + "/missing", y.key, "", nil}).want(t, 200)
	w.clock.Advance(time.Hour)
	w.do(t, ask{"GET", at + "/missing", x.key, "", nil}).want(t, 200)
}

func TestDisabledAnalyticsExplainTheReason(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, func(o *adminapi.Options) {
		o.Deployment = feature.Decide(feature.Setup{Type: feature.AirGapped, Search: "on", Analytics: "on",
			Assistant: "auto"})
	})
	got := w.do(t, ask{"GET", "/v1/analytics/" + x.project.ID + "/views", x.key, "", nil}).want(t, 403)
	hint := read[struct{ Hint string }](t, got).Hint
	if got.code(t) != "feature_unavailable" || hint == "" {
		t.Errorf("%s", got.body)
	}
}

func TestFeedbackStateChangeIsAudited(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, nil)
	at := "/v1/analytics/" + x.project.ID + "/feedback/" + x.feedback.ID
	got := read[struct{ Status, Note string }](t,
		w.do(t, ask{"PATCH", at, x.key, `{"status":"in_progress","note":"asked\u0007 the author"}`, nil}).want(t, 200))
	if got.Status != "in_progress" || got.Note != "asked the author" {
		t.Errorf("%+v", got)
	}
	for _, bad := range []string{`{}`, `{"status":"done"}`,
		`{"status":"pending","note":"` + strings.Repeat("x", 2001) + `"}`, `{"status":"pending","path":"/"}`} {
		w.do(t, ask{"PATCH", at, x.key, bad, nil}).want(t, 400)
	}
	w.do(t, ask{"PATCH", at, "", `{"status":"resolved"}`, nil}.as(x.members["viewer"])).want(t, 403)
	w.do(t, ask{"PATCH", "/v1/analytics/" + x.folder.ID + "/feedback/" + x.feedback.ID, x.key, `{"status":"resolved"}`,
		nil}).want(t, 404)
	if list := w.events(t, x.key, "action=feedback").Events; len(list) != 1 || list[0].Target != x.feedback.ID ||
		list[0].Data["status"] != "in_progress" {
		t.Errorf("%+v", list)
	}
}
