package dashboard_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

// visited counts events on a site through the real counter.
func (r *rig) visited(events ...audience.Event) {
	r.t.Helper()
	b := audience.NewBatch(1000, nil)
	for _, e := range events {
		if !b.Add(e) {
			r.t.Fatal("no room")
		}
	}
	must(r.t, r.store.AddAudience(r.t.Context(), b))
}

// addFeedback stores a reader's feedback about a page of a project, and returns its id.
func (r *rig) addFeedback(projectID string, f audience.Feedback) string {
	r.t.Helper()
	f.ProjectID = projectID
	f, ok := f.Clean()
	if !ok {
		r.t.Fatal("nothing was said")
	}
	_, err := r.store.AddFeedback(r.t.Context(), f)
	must(r.t, err)
	list, _, err := r.store.ListFeedback(r.t.Context(), projectID,
		audience.FeedbackFilter{Span: audience.LastDays(r.clock.Now(), 2)}, store.Page{Limit: 1})
	must(r.t, err)
	return list[0].ID
}

// busy returns a site with two days of visits.
func busy(t testing.TB) (r *rig, at string) {
	r = newRig(t)
	id, now := r.a.project.ID, r.clock.Now()
	one, two := [8]byte{1}, [8]byte{2}
	view := func(at time.Time, c audience.Class, path, referrer string, v [8]byte) audience.Event {
		return audience.Event{ProjectID: id, At: at, Kind: audience.View, Class: c, Path: path, Referrer: referrer,
			Visitor: v}
	}
	r.visited(
		view(now, audience.Human, "/", "news.example", one), view(now, audience.Human, "/guides/start", "", one),
		view(now, audience.Human, "/", "", two),
		view(now, audience.Agent, "/guides/start", "", [8]byte{}), view(now, audience.Indexer, "/", "", [8]byte{}),
		view(now.AddDate(0, 0, -1), audience.Human, "/"+hostile, "", one),
		view(now.AddDate(0, 0, -40), audience.Human, "/older", "", one),
		audience.Event{ProjectID: id, At: now, Kind: audience.Search, Class: audience.Human, Query: "lantern", Hits: 3},
		audience.Event{ProjectID: id, At: now, Kind: audience.Click, Class: audience.Human, Query: "lantern",
			Target: "/guides/start"},
		audience.Event{ProjectID: id, At: now, Kind: audience.Search, Class: audience.Human, Query: hostile},
		audience.Event{ProjectID: id, At: now, Kind: audience.Missing, Class: audience.Human, Path: "/gone",
			Referrer: "old.example"},
		audience.Event{ProjectID: id, At: now, Kind: audience.Try, Class: audience.Human, Target: "POST /orders",
			Status: 201},
		audience.Event{ProjectID: id, At: now, Kind: audience.Copy, Class: audience.Human, Path: "/"},
	)
	return r, "/dashboard/projects/" + id + "/analytics"
}

// tableRows returns a table's rows, with each cell's text on one line.
func tableRows(page, region string) (rows []string) {
	_, table, _ := strings.Cut(page, `aria-label="`+region)
	table, _, _ = strings.Cut(table, "</table>")
	for _, row := range regexp.MustCompile(`(?s)<tr>(.*?)</tr>`).FindAllStringSubmatch(table, -1) {
		text := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(strings.ReplaceAll(row[1], "</td>", " | "), " ")
		rows = append(rows, strings.Trim(strings.Join(strings.Fields(text), " "), " |"))
	}
	return rows
}

func wantRow(t *testing.T, page, region, want string) {
	t.Helper()
	rows := tableRows(page, region)
	for _, row := range rows {
		if row == want {
			return
		}
	}
	t.Errorf("no row %q in %q", want, rows)
}

// C5: every viewer sees who visited, and what visitors searched for, tried and did not find; text from strangers never
// becomes markup.
func TestAnalyticsPagesShowTheCounts(t *testing.T) {
	r, at := busy(t)
	status, page := r.get("viewer", at)
	showsAll(t, "traffic", status, 200, page, "<strong>4</strong>", "<strong>1</strong>", "<strong>3</strong>",
		`<svg class="chart"`, "4 March 2026: 3 people, 1 AI, 1 search engines", "Readers copied 1 code block.",
		"/v1/analytics/"+r.a.project.ID+"/summary?dateFrom=2026-02-05&amp;dateTo=2026-03-05")
	wantRow(t, page, "Pages, the most read first", "/ | 2 | 0 | 1")
	wantRow(t, page, "Pages, the most read first", "/guides/start | 1 | 1 | 0")
	wantRow(t, page, "Referring sites", "news.example | 1")
	wantRow(t, page, "Page views by day, as a table", "4 March 2026 3 | 1 | 1")
	showsNone(t, "traffic", page, "/older", "<script>alert", "<img src=x")
	if _, page = r.get("viewer", at+"?from=2026-01-20&to=2026-01-25"); strings.Contains(page, "guides/start") ||
		!strings.Contains(page, "/older") {
		t.Error("the page does not show only the selected days")
	}
	_, page = r.get("viewer", at+"/search")
	wantRow(t, page, "Searches, the most frequent first", "lantern | 1 | 3 | 100 % | /guides/start | just now")
	showsAll(t, "search", 200, 200, page, `<span class="none">none</span>`, "<strong>50 %</strong>")
	showsNone(t, "search", page, "<script>alert", "<img src=x")
	_, page = r.get("viewer", at+"/missing")
	wantRow(t, page, "Missing pages, most requested first", "/gone | old.example | 1 | just now")
	_, page = r.get("viewer", at+"/playground")
	wantRow(t, page, "Operations, most used first", "POST /orders | 1 | 1 | 0 | 0 | just now")
	_, page = r.get("viewer", "/dashboard/analytics")
	showsAll(t, "sites", 200, 200, page, "<strong>4</strong> page views in 7 days", `<svg class="spark"`,
		`href="`+at+`"`)
	_, page = r.get("viewer", "/dashboard/")
	showsAll(t, "overview", 200, 200, page, `<a href="`+at+`">4 page views</a>`)
}

// Lists can be downloaded as files for the same range of days.
func TestAnalyticsListsCanBeDownloaded(t *testing.T) {
	r, at := busy(t)
	for _, list := range []string{"views", "summary", "searches", "missing", "playground", "referrers", "feedback",
		"feedback-by-page"} {
		got := r.send("viewer", http.MethodGet, at+"/csv/"+list+"?days=7", nil)
		if got.status != 200 || !strings.HasPrefix(got.header.Get("Content-Type"), "text/csv") ||
			!strings.Contains(got.body, ",") {
			t.Errorf("%s: %d %v %.200s", list, got.status, got.header, got.body)
		}
	}
	if got := r.send("viewer", http.MethodGet, at+"/csv/views?days=7", nil); !strings.Contains(got.body,
		"/guides/start") || strings.Contains(got.body, "/older") {
		t.Errorf("views of a week: %s", got.body)
	}
}

// Invalid days are reported at their fields, and the default range is shown.
func TestInvalidDateRangeIsReported(t *testing.T) {
	r, at := busy(t)
	for query, says := range map[string]string{"?from=x&to=2026-03-01": `id="from-error"`,
		"?from=2026-03-01": `id="to-error"`, "?from=2026-03-02&to=2026-03-01": "before the first",
		"?from=2020-01-01&to=2026-03-01": "at most 400 days", "?from=1970-01-05&to=1970-01-06": "2000-01-01 or later"} {
		status, page := r.get("viewer", at+query)
		showsAll(t, query, status, 400, page, says, "guides/start")
	}
	if status, to := r.get("viewer", at+"/csv/views?from=x&to=y"); status != http.StatusSeeOther {
		t.Errorf("%d %s", status, to)
	}
}

// Readers' feedback is listed, and editors change its state without scripts; viewers see no form.
func TestEditorsSetFeedbackState(t *testing.T) {
	r, at := busy(t)
	no := false
	id := r.addFeedback(r.a.project.ID,
		audience.Feedback{Path: "/guides/start", Helpful: &no, Comment: hostile, Code: "x := 1"})
	at += "/feedback"
	status, page := r.get("viewer", at)
	showsAll(t, "viewer", status, 200, page, "not helpful", "about code", "x := 1", `data-state="pending"`)
	wantText(t, page)
	wantRow(t, page, "Pages with the most feedback", "/guides/start | 0 | 1 | 1")
	showsNone(t, "viewer", page, at+"/"+id+`"`)
	status, to := r.post("editor", at+"/"+id,
		url.Values{"status": {"in_progress"}, "note": {"Told the team"}, "back": {"?days=7&status=pending&evil=1"}})
	if status != http.StatusSeeOther || to != at+"?days=7&status=pending&did=feedback-changed" {
		t.Fatalf("%d %s", status, to)
	}
	status, page = r.get("editor", at+"?status=in_progress")
	showsAll(t, "editor", status, 200, page, `data-state="in_progress"`, `value="Told the team"`,
		`action="`+at+"/"+id+`"`)
	if _, page = r.get("editor", at+"?status=pending"); strings.Contains(page, id) ||
		!strings.Contains(page, "No feedback with this status") {
		t.Error("it is still pending")
	}
	if status, page = r.post("editor", at+"/"+id, url.Values{"status": {"lost"}}); status != http.StatusBadRequest ||
		!strings.Contains(page, `class="alert"`) {
		t.Errorf("%d %s", status, page)
	}
}

// The page of a site without visits explains what it will show.
func TestEmptyAnalyticsPagesExplainHowToStart(t *testing.T) {
	r := newRig(t)
	at := "/dashboard/projects/" + r.a.project.ID + "/analytics"
	for rest, says := range map[string]string{"": "No visits in this period", "/search": "No searches in this period",
		"/feedback": "No feedback in this period", "/playground": "No requests in this period",
		"/missing": "No missing pages"} {
		status, page := r.get("viewer", at+rest)
		showsAll(t, rest, status, 200, page, says, `class="empty"`, "/v1/analytics/"+r.a.project.ID)
		showsNone(t, rest, page, "<svg class=\"chart\"")
	}
}

// Where analytics is off, every page gives the same reason as GET /v1/deployment, and shows no numbers.
func TestAnalyticsPagesExplainWhyTheyAreOff(t *testing.T) {
	on := 0
	for name, setup := range setups() {
		r := newRig(t, func(p *parts) { p.API.Deployment = feature.Decide(setup) })
		f := r.deploymentFeatures().Analytics
		at := "/dashboard/projects/" + r.a.project.ID + "/analytics"
		for _, path := range []string{"/dashboard/analytics", at, at + "/search", at + "/feedback", at + "/csv/views"} {
			status, page := r.get("viewer", path)
			off := strings.Contains(page, "Not available on this type of deployment") ||
				strings.Contains(page, "Analytics is off")
			if status != http.StatusOK || off == f.Enabled || off &&
				(!strings.Contains(page, f.Reason) || !strings.Contains(page, `data-state="`+string(f.State)+`"`)) {
				t.Errorf("%s, %s: %d, off %v of %+v", name, path, status, off, f)
			}
		}
		if _, page := r.get("viewer", "/dashboard/"); strings.Contains(page, "page views") != f.Enabled {
			t.Errorf("%s: the overview counts: %v", name, !f.Enabled)
		}
		if f.Enabled {
			on++
		}
	}
	if on == 0 || on == len(setups()) {
		t.Errorf("%d of %d set-ups count", on, len(setups()))
	}
}

// Questions to the assistant are listed with their outcomes, and a conversation shows its whole text; without an
// assistant, the page says why there is none.
func TestAssistantQuestionsAreShown(t *testing.T) {
	r := newRig(t, func(p *parts) {
		p.API.Deployment = feature.Decide(feature.Setup{Type: feature.ClientHosted, Search: "on", Analytics: "on",
			Assistant: "local"})
		p.API.Conversations = &assistant.Conversations{Assistant: assistant.New(nil, llm.Retry{}), Now: p.API.Now,
			IDs: p.API.IDs, Logger: p.API.Log}
	})
	rated, thread := r.ids.New(id.Message), r.ids.New(id.Thread)
	must(t, r.store.AddExchange(t.Context(), conversation.Exchange{ID: rated, ThreadID: thread,
		ProjectID: r.a.project.ID, At: r.clock.Now(), Caller: conversation.Web, Page: "/guides/start",
		Question: hostile, Answer: "With screws [1].", Type: conversation.Answered,
		Sources: []conversation.Source{{Number: 1, Path: "/guides/start#install", Title: "Install it"}}}))
	must(t, r.store.RateExchange(t.Context(), r.a.project.ID, thread, rated, true, ""))
	for _, kind := range []conversation.Type{"local", conversation.Unanswered, conversation.Failed} {
		must(t, r.store.AddExchange(t.Context(), conversation.Exchange{ID: r.ids.New(id.Message), ThreadID: thread,
			ProjectID: r.a.project.ID, At: r.clock.Now(), Caller: conversation.Web, Question: "How?", Answer: "So.",
			Type: kind}))
	}
	at := "/dashboard/projects/" + r.a.project.ID + "/analytics/assistant"
	status, page := r.get("viewer", at)
	if strings.Contains(page, ">local<") || strings.Contains(page, ">unknown<") {
		t.Error("the list has meaningless outcomes")
	}
	showsAll(t, "questions", status, 200, page, "<strong>4</strong>", `data-state="answered"`, ">not found<", ">error<",
		">helpful<",
		`href="`+at+"/"+thread+"?days=28", "/assistant/caller-stats?dateFrom=")
	wantText(t, page)
	status, page = r.get("viewer", at+"/"+thread)
	showsAll(t, "conversation", status, 200, page, "With screws [1].", "Install it", "/guides/start#install",
		"<strong>Reader</strong>")
	wantText(t, page)
	if status, _ = r.get("foreign", at+"/"+thread); status != http.StatusNotFound {
		t.Errorf("another organization: %d", status)
	}
	r = newRig(t)
	status, page = r.get("viewer", "/dashboard/projects/"+r.a.project.ID+"/analytics/assistant")
	showsAll(t, "off", status, 200, page, "The assistant is off",
		html.EscapeString(r.deploymentFeatures().Assistant.Reason))
	if _, page = r.get("viewer", "/dashboard/projects/"+r.a.project.ID+"/analytics"); strings.Contains(page,
		"/analytics/assistant") {
		t.Error("a page leads to the assistant, which is off")
	}
}
