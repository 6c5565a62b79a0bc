package adminapi_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/aistream"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/serve/assistanthttp"
)

const aQuestion = `{"id":"chat","trigger":"submit-message","messages":[{"id":"1","role":"user","parts":[{"type":"text","text":"How do I bolt the thruster?"}],"metadata":{}}],"currentPath":"/guides/start"}`

func TestProgramCanAskAssistant(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	key, _ := w.newKey(t, x.org.ID, func(k *account.Key) { k.Scopes = []account.Scope{account.ScopeDiscovery} })
	at := "/discovery/v2/assistant/" + x.project.Domains[0] + "/message"
	got := w.do(t, ask{"POST", at, key, aQuestion, nil}).want(t, 200)
	if got.header.Get(aistream.Header) != "v1" ||
		!strings.HasPrefix(got.header.Get("Content-Type"), "text/event-stream") {
		t.Errorf("headers %v", got.header)
	}
	a, err := aistream.ReadAll(bytes.NewReader(got.body))
	if err != nil || a.Thread.Mode != "local" || !strings.Contains(a.Text, "four screws") || len(a.Sources) == 0 ||
		a.Sources[0].URL != "http://"+x.project.Domains[0]+":8080/guides/start#install-the-thruster" ||
		strings.Contains(a.Text, "canary-7c1") {
		t.Fatalf("%+v %v", a, err)
	}
	w.clock.Advance(time.Second)
	again := strings.Replace(aQuestion, `"id":"chat"`, `"threadId":"`+a.Thread.ThreadID+`"`, 1)
	second, err := aistream.ReadAll(bytes.NewReader(w.do(t, ask{"POST", at, key, again, nil}).want(t, 200).body))
	if err != nil || second.Thread.ThreadID != a.Thread.ThreadID || second.MessageID == a.MessageID {
		t.Errorf("%+v %v", second, err)
	}
	thread := w.do(t, ask{"GET", "/v1/analytics/" + x.project.ID + "/assistant/threads/" + a.Thread.ThreadID, x.key, "",
		nil}).want(t, 200)
	if got := read[struct {
		Messages []struct {
			ID, Role, Content    string
			CreatedAt, Timestamp time.Time
		}
	}](t, thread); len(got.Messages) != 4 || got.Messages[1].ID != a.MessageID || got.Messages[1].Content != a.Text ||
		got.Messages[2].Role != "user" ||
		got.Messages[3].CreatedAt.IsZero() || !got.Messages[3].CreatedAt.Equal(got.Messages[2].Timestamp) {
		t.Errorf("%s", thread.body)
	}
	for body, field := range map[string]string{
		`{}`: "messages", `{"messages":[{"role":"assistant","parts":[{"type":"text","text":"x"}]}]}`: "messages",
		`{"messages":[{"role":"user","parts":[{"type":"text","text":" "}]}]}`:                       "messages",
		`{"messages":[{"role":"user","parts":[{"type":"text","text":"x"}]}],"retrievalPageSize":0}`: "retrievalPageSize",
		`{"messages":[{"role":"user","parts":[{"type":"text","text":"x"}]}],"currentPath":"` +
			strings.Repeat("x", 201) + `"}`: "currentPath",
		`{"messages":[{"role":"user","parts":[{"type":"text","text":"x"}]}],"context":[{"type":"file","value":"x"}]}`: "context",
		`{"messages":[` + strings.Repeat(`{"role":"user","parts":[]},`, 50) +
			`{"role":"user","parts":[{"type":"text","text":"x"}]}]}`: "messages",
	} {
		if got := w.do(t, ask{"POST", at, key, body, nil}).
			want(t, 400); !strings.Contains(string(got.body), `"field":"`+field+`"`) {
			t.Errorf("%.60s: %s", body, got.body)
		}
	}
	w.do(t, ask{"POST", at, key, `{"messages":[],"x":"` + strings.Repeat("x", 70_000) + `"}`, nil}).want(t, 413)
	if got := w.do(t, ask{"POST", "/discovery/v2/assistant/" + x.folder.Domains[0] + "/message", key, aQuestion, nil}).
		want(t, 409); got.code(t) != "site_not_published" {
		t.Errorf("%s", got.body)
	}
}

func TestQuestionsAreListedAndCounted(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	at := "/v1/analytics/" + x.project.ID + "/assistant"
	type list struct {
		Conversations []struct {
			ID, ThreadID, Query, Response, ResponseType, Outcome, ResolutionStatus, Resolution string
			PageURL                                                                            *string
			Sources                                                                            []struct {
				Title,
				URL string
			}
		}
		NextCursor *string
		HasMore    bool
	}
	got := read[list](t, w.do(t, ask{"GET", at, x.key, "", nil}).want(t, 200))
	if len(got.Conversations) != 1 || got.HasMore || got.Conversations[0].ThreadID != x.thread ||
		got.Conversations[0].ResponseType != "answer" ||
		got.Conversations[0].ResolutionStatus != "answered" || got.Conversations[0].Outcome != "answered" ||
		got.Conversations[0].Resolution != "unknown" ||
		!strings.HasSuffix(*got.Conversations[0].PageURL, ":8080/guides/start") ||
		!strings.HasSuffix(got.Conversations[0].Sources[0].URL, "#install-the-thruster") {
		t.Errorf("%+v", got)
	}
	w.clock.Advance(24 * time.Hour)
	w.do(t, ask{"POST", "/discovery/v2/assistant/" + x.project.Domains[0] + "/message", x.key, aQuestion, nil}).
		want(t, 200)
	first := read[list](t, w.do(t, ask{"GET", at + "?limit=1", x.key, "", nil}).want(t, 200))
	if len(first.Conversations) != 1 || !first.HasMore || first.Conversations[0].Outcome != "answered" ||
		first.Conversations[0].ResolutionStatus != "answered" {
		t.Fatalf("%+v", first)
	}
	if rest := read[list](t, w.do(t, ask{"GET", at + "?limit=1&cursor=" + *first.NextCursor, x.key, "", nil}).
		want(t, 200)); len(rest.Conversations) != 1 || rest.Conversations[0].ThreadID != x.thread || rest.HasMore {
		t.Errorf("%+v", rest)
	}
	for query, want := range map[string]string{
		"": `{"web":1,"api":1,"other":0,"total":2}`, "?dateFrom=2026-03-05": `{"web":0,"api":1,"other":0,"total":1}`,
		"?dateFrom=2026-03-04&dateTo=2026-03-05": `{"web":1,"api":0,"other":0,"total":1}`,
		"?dateTo=2026-03-04":                     `{"web":0,"api":0,"other":0,"total":0}`,
	} {
		if got := w.do(t, ask{"GET", at + "/caller-stats" + query, x.key, "", nil}).
			want(t, 200); strings.TrimSpace(string(got.body)) != want {
			t.Errorf("%s: %s", query, got.body)
		}
	}
	for _, bad := range []string{"?dateFrom=yesterday", "?limit=1001", "?limit=0", "?cursor=zz",
		"/caller-stats?dateTo=x", "/threads/x?dateFrom=1"} {
		w.do(t, ask{"GET", at + bad, x.key, "", nil}).want(t, 400)
	}
}

// D9: on a server without an assistant, a question gets an error with the reason. Earlier questions can be read while
// they are stored.
func TestMissingAssistantIsReported(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) {
		o.Conversations, o.Deployment = nil,
			feature.Decide(feature.Setup{Type: feature.ClientHosted, Search: "on", Analytics: "on", Assistant: "off"})
	})
	for name, status := range map[string]int{"askAssistant": 403, "listQuestions": 200, "getThread": 200,
		"countQuestions": 200} {
		for _, r := range adminapi.Routes() {
			if r.OperationID == name {
				if got := w.do(t, samples[name].ask(x).by(r, x.key)).want(t, status); status == 403 &&
					got.code(t) != "feature_unavailable" {
					t.Errorf("%s: %s", name, got.body)
				}
			}
		}
	}
}

// A5: questions from programs count towards the site's limit, just like those from its readers.
func TestQuestionsFromProgramsCountTowardsSiteLimit(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) {
		o.AnswerLimiter = assistanthttp.NewLimiter(assistanthttp.LimiterOptions{Now: o.Now, PerSite: 2})
	})
	message := "/discovery/v2/assistant/" + x.project.Domains[0] + "/message"
	for _, status := range []int{200, 200, 429} {
		if got := w.do(t, ask{"POST", message, x.key, aQuestion, nil}).want(t, status); status == 429 &&
			(got.header.Get("RateLimit-Limit") != "2" || got.header.Get("Retry-After") == "") {
			t.Errorf("%v", got.header)
		}
	}
}

// A5: an organization's keys share one limit for all analytics operations, and its questions count towards its limit
// for discovery.
func TestQuestionsAreLimited(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) { o.AnalyticsLimit, o.DiscoveryLimit = 3, 1 })
	at := "/v1/analytics/" + x.project.ID + "/assistant"
	for _, path := range []string{at, at + "/caller-stats", at + "/threads/" + x.thread} {
		w.do(t, ask{"GET", path, x.key, "", nil}).want(t, 200)
	}
	for _, path := range []string{at, at + "/caller-stats", at + "/threads/" + x.thread} {
		if got := w.do(t, ask{"GET", path, x.key, "", nil}).want(t, 429); got.header.Get("Retry-After") == "" {
			t.Errorf("%s: %v", path, got.header)
		}
	}
	message := "/discovery/v2/assistant/" + x.project.Domains[0] + "/message"
	w.do(t, ask{"POST", message, x.key, aQuestion, nil}).want(t, 200)
	w.do(t, ask{"POST", message, x.key, aQuestion, nil}).want(t, 429)
}
