package assistanthttp_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/aistream"
	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/llmtest"
	"github.com/lectern-docs/lectern/internal/ai/llm/openai"
	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/assistanthttp"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/storetest"
)

var buildOnce = sync.OnceValues(func() (*sitereader.Library, error) {
	built := &sitehost.Built{}
	_, err := build.Build(context.Background(), fstest.MapFS{
		"docs.json": {Data: []byte(
			`{"name":"Rockets","theme":"mint","colors":{"primary":"#112233"},"navigation":{"pages":["index"]}}`)},
		"index.mdx": {Data: []byte("---\ntitle: Thruster\n---\nBolt the thruster with four screws.\n")},
	}, build.Options{BaseURL: "https://docs.example.com", Links: link.Clean,
		Offers: capability.Offers{Assistant: capability.Assistant{On: true}}}, built)
	return built.Library(), err
})

// counted stores the recorded events.
type counted struct {
	mu   sync.Mutex
	list []audience.Event
}

func (c *counted) Record(e audience.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, e)
}

// world is a site with an assistant and a real store.
type world struct {
	t       *testing.T
	store   *store.Store
	project project.Project
	events  *counted
	model   llm.Model
	preview bool
}

func newWorld(t *testing.T, model llm.Model) *world {
	t.Helper()
	w := &world{t: t, events: &counted{}, model: model}
	var err error
	w.store, err = store.Open(t.Context(), store.Options{URL: storetest.SQLite(t, filepath.Join(t.TempDir(), "ledger.db")), Now: time.Now,
		IDs: id.Source{Rand: rand.Reader}, Wake: func(context.Context, any, task.Lane) error { return nil }})
	w.ok(err)
	t.Cleanup(func() { _ = w.store.Close() })
	_, err = w.store.Migrate(t.Context())
	w.ok(err)
	w.ok(w.store.Tx(t.Context(), func(tx *store.Tx) error {
		org, err := tx.CreateOrganization(t.Context(), "a", account.PlanFree)
		if err == nil {
			w.project, err = tx.CreateProject(t.Context(), project.Project{OrganizationID: org.ID, Name: "docs",
				Domains: []string{"docs.example.com"}, Source: project.Source{Path: "/srv"}})
		}
		return err
	}))
	return w
}

func (w *world) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// serve starts the handler of one process.
func (w *world) serve(change func(*assistanthttp.Options, *assistant.Conversations)) *httptest.Server {
	w.t.Helper()
	l, err := buildOnce()
	w.ok(err)
	desk := &assistant.Conversations{Assistant: assistant.New(w.model, llm.Retry{Tries: 1}), Keeper: w.store,
		Record: w.events, IDs: id.Source{Rand: rand.Reader}, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
		Salts: w.store}
	opt := assistanthttp.Options{Conversations: desk, Now: time.Now, Origins: []string{"https://app.example.com"}}
	if change != nil {
		change(&opt, desk)
	}
	if opt.Limiter == nil {
		opt.Limiter = assistanthttp.NewLimiter(assistanthttp.LimiterOptions{Now: time.Now})
	}
	handler := assistanthttp.New(opt)
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if who, signedIn := r.Header["X-Test-Reader"]; signedIn { // as on sites with sign-in
			r = siteapi.WithReader(r, access.Reader{Subject: who[0], Groups: r.Header["X-Test-Group"]})
		}
		handler.ServeSite(rw, r,
			siteapi.Site{ProjectID: w.project.ID, Host: "docs.example.com", Preview: w.preview, Library: l})
	}))
	w.t.Cleanup(s.Close)
	return s
}

const question = `{"messages":[{"id":"1","role":"user","parts":[{"type":"text","text":"thruster screws"}]}],"currentPath":"/"`

// send sends a request as a page of the site itself does, unless the headers say otherwise.
func (w *world) send(s *httptest.Server, method, path, body string, header ...string) (*http.Response, []byte) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, s.URL+path, strings.NewReader(body))
	w.ok(err)
	req.Header.Set("Origin", s.URL)
	for i := 0; i+1 < len(header); i += 2 {
		if req.Header.Set(header[i], header[i+1]); header[i+1] == "" {
			req.Header.Del(header[i])
		}
	}
	res, err := s.Client().Do(req)
	w.ok(err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	w.ok(err)
	return res, raw
}

func (w *world) ask(s *httptest.Server, more string) aistream.Message {
	w.t.Helper()
	res, raw := w.send(s, "POST", capability.AskPath, question+more+"}", "Sec-Fetch-Site", "same-origin")
	a, err := aistream.ReadAll(bytes.NewReader(raw))
	if res.StatusCode != 200 || res.Header.Get(aistream.Header) != "v1" || err != nil {
		w.t.Fatalf("%d %v %v: %s", res.StatusCode, res.Header, err, raw)
	}
	return a
}

func TestReaderCanAskAndRateAnswer(t *testing.T) {
	server := llmtest.Start(t,
		llmtest.Options{Dialect: llmtest.OpenAI, Script: llmtest.Script{llmtest.Say("Four screws [1]."),
			llmtest.Say("Four, as before [1].")}}) // for a conversation that contains an answer
	model, err := openai.New(openai.Options{URL: server.URL, Key: llm.NewKey(server.Key), Model: server.Model,
		Retry: llm.Retry{Tries: 1}})
	w := newWorld(t, model)
	w.ok(err)
	s := w.serve(nil)
	a := w.ask(s, "")
	if a.Text != "Four screws [1]." || a.Thread.Mode != "model" || len(a.Sources) != 1 || a.Sources[0].URL != "/" ||
		a.Sources[0].SourceID != "1" || a.Error != "" {
		t.Fatalf("%+v", a)
	}
	second := w.ask(s, `,"threadId":"`+a.Thread.ThreadID+`"`)
	if stranger := w.ask(s,
		`,"threadId":"thr_aaaaaaaaaaaaaaaaaaaaaaaaaa"`); second.Thread.ThreadID != a.Thread.ThreadID ||
		stranger.Thread.ThreadID == "thr_aaaaaaaaaaaaaaaaaaaaaaaaaa" {
		t.Errorf("threads %q %q", second.Thread.ThreadID, stranger.Thread.ThreadID)
	}
	rating := `{"threadId":"` + a.Thread.ThreadID + `","messageId":"` + a.MessageID +
		`","helpful":false,"comment":"Too short."}`
	if res, raw := w.send(s, "POST", capability.AskPath+"/feedback", rating); res.StatusCode != 204 {
		t.Errorf("%d %s", res.StatusCode, raw)
	}
	list, err := w.store.FindThread(t.Context(), w.project.ID, a.Thread.ThreadID)
	if err != nil || len(list) != 2 || list[0].Question != "thruster screws" || list[0].Type != conversation.Answered ||
		list[0].Caller != conversation.Web || list[0].Page != "/" ||
		list[0].Helpful == nil || *list[0].Helpful || list[0].Comment != "Too short." || list[0].Tokens == 0 {
		t.Errorf("%+v %v", list, err)
	}
	if len(w.events.list) != 3 || w.events.list[0].Kind != audience.Ask || w.events.list[0].ProjectID != w.project.ID ||
		w.events.list[0].Query != "" {
		t.Errorf("%+v", w.events.list)
	}
	for body, status := range map[string]int{
		strings.Replace(rating, a.MessageID, "msg_aaaaaaaaaaaaaaaaaaaaaaaaaa", 1): 404,
		`{"threadId":"x","messageId":"y","helpful":true}`:                         404, `{"helpful":true}`: 400,
		strings.Replace(rating, "false", `"no"`, 1):                         400,
		strings.Replace(rating, "Too short.", strings.Repeat("x", 9000), 1): 400,
	} {
		if res, raw := w.send(s, "POST", capability.AskPath+"/feedback", body); res.StatusCode != status {
			t.Errorf("%.60s: %d %s", body, res.StatusCode, raw)
		}
	}
}

// C7, F5: pages of other origins cannot use readers' browsers to ask questions, unless the operator allows the
// origin.
func TestOnlyOwnAndAllowedOriginsMayAsk(t *testing.T) {
	w := newWorld(t, nil)
	s := w.serve(nil)
	for name, c := range map[string]struct {
		method string
		header []string
		status int
		cors   string
	}{
		"own page":                      {"POST", nil, 200, ""},
		"own page, with fetch metadata": {"POST", []string{"Origin", "", "Sec-Fetch-Site", "same-origin"}, 200, ""},
		"the operator's": {"POST", []string{"Origin", "https://app.example.com", "Sec-Fetch-Site", "cross-site"},
			200, "https://app.example.com"},
		"its preflight":     {"OPTIONS", []string{"Origin", "https://app.example.com"}, 204, "https://app.example.com"},
		"another":           {"POST", []string{"Origin", "https://evil.example"}, 403, ""},
		"another preflight": {"OPTIONS", []string{"Origin", "https://evil.example"}, 403, ""},
		"no scheme":         {"POST", []string{"Origin", "http://app.example.com"}, 403, ""},
		"a file":            {"POST", []string{"Origin", "null"}, 403, ""},
		"no page":           {"POST", []string{"Origin", ""}, 403, ""},
		"a subdomain":       {"POST", []string{"Origin", "https://app.example.com.evil.example"}, 403, ""},
		"reading":           {"GET", []string{"Origin", ""}, 200, ""},
		"reading elsewhere": {"GET", []string{"Origin", "https://evil.example"}, 403, ""},
		"another method":    {"PUT", nil, 405, ""},
	} {
		res, raw := w.send(s, c.method, capability.AskPath, question+"}", c.header...)
		if res.StatusCode != c.status || res.Header.Get("Access-Control-Allow-Origin") != c.cors ||
			res.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: %d %v %s", name, res.StatusCode, res.Header, raw)
		}
	}
	if res, _ := w.send(s, "POST", capability.AskPath+"/other", ""); res.StatusCode != 404 {
		t.Errorf("another path: %d", res.StatusCode)
	}
}

func TestPageCanReadAssistantSettings(t *testing.T) {
	w := newWorld(t, nil)
	_, raw := w.send(w.serve(nil), "GET", capability.AskPath, "")
	var got struct {
		Mode      string
		Questions []string
		Feedback  bool
	}
	if json.Unmarshal(raw, &got) != nil || got.Mode != "local" || !got.Feedback || len(got.Questions) != 1 {
		t.Errorf("%s", raw)
	}
}

// A5: the limits per visitor and per site are shared by two processes.
func TestQuestionLimitIsSharedAcrossProcesses(t *testing.T) {
	for name, change := range map[string]func(*assistanthttp.Options){
		"visitor": func(o *assistanthttp.Options) { o.PerVisitor = 5 }, "site": nil} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, nil)
			both := []*httptest.Server{}
			for range 2 {
				both = append(both, w.serve(func(o *assistanthttp.Options, _ *assistant.Conversations) {
					if o.Counter = w.store; change != nil {
						change(o)
						return
					}
					o.PerVisitor, o.Limiter = 7,
						assistanthttp.NewLimiter(assistanthttp.LimiterOptions{PerSite: 5, Counter: w.store, Now: time.Now})
				}))
			}
			for range 6 { // neither invalid questions nor ratings count as questions to the site
				w.send(both[0], "POST", capability.AskPath+"/feedback", "{}")
			}
			if name == "site" {
				w.send(both[0], "POST", capability.AskPath, "{")
			}
			for i := range 7 {
				res, raw := w.send(both[i%2], "POST", capability.AskPath, question+"}")
				if want := map[bool]int{true: 200, false: 429}[i < 5]; res.StatusCode != want || want == 429 &&
					(res.Header.Get("Retry-After") == "" || i == 5 && res.Header.Get("RateLimit-Limit") != "5") {
					t.Errorf("question %d: %d %v %s", i+1, res.StatusCode, res.Header, raw)
				}
			}
		})
	}
}

func TestQuestionsAreNotStoredWhenDisabledOrInPreviews(t *testing.T) {
	for name, preview := range map[string]bool{"not kept": false, "preview": true} {
		w := newWorld(t, nil)
		w.preview = preview
		s := w.serve(func(_ *assistanthttp.Options, d *assistant.Conversations) {
			if !preview {
				d.Keeper = nil
			}
		})
		a := w.ask(s, "")
		again := w.ask(s, `,"threadId":"`+a.Thread.ThreadID+`"`)
		if res, _ := w.send(s, "POST", capability.AskPath+"/feedback", `{"threadId":"`+a.Thread.ThreadID+
			`","messageId":"`+a.MessageID+`","helpful":true}`); res.StatusCode != 204 {
			t.Errorf("%s: feedback %d", name, res.StatusCode)
		}
		if list, _, err := w.store.ListExchanges(t.Context(), w.project.ID, store.Span{},
			store.Page{Limit: 10}); err != nil || len(list) > 0 {
			t.Errorf("%s: stored %+v %v", name, list, err)
		}
		if !preview && again.Thread.ThreadID != a.Thread.ThreadID || preview && len(w.events.list) > 0 {
			t.Errorf("%s: %q, %+v", name, again.Thread.ThreadID, w.events.list)
		}
	}
}

func TestMalformedQuestionsAreRefused(t *testing.T) {
	w := newWorld(t, nil)
	s := w.serve(nil)
	for body, status := range map[string]int{"": 400, "[]": 400, "{": 400, `{"messages":"x"}`: 400,
		`{"messages":[{"role":"tool","parts":[]}]}`: 400, question + `,"retrievalPageSize":21}`: 400,
		question + `,"filter":{"language":"` + strings.Repeat("x", 101) + `"}}`: 400,
		question + `,"x":"` + strings.Repeat("x", assistanthttp.MaxBody) + `"}`: 413, "\xff": 400,
		question + `,"context":[` + strings.Repeat(`{"type":"code","value":"x"},`, 10) +
			`{"type":"code","value":"x"}]}`: 400} {
		res, raw := w.send(s, "POST", capability.AskPath, body)
		var problem struct{ Error, Code string }
		if res.StatusCode != status || json.Unmarshal(raw, &problem) != nil || problem.Error == "" || problem.Code == "" {
			t.Errorf("%.60q: %d %s", body, res.StatusCode, raw)
		}
	}
}

func FuzzParseAsk(f *testing.F) {
	f.Add([]byte(question + "}"))
	f.Add([]byte(
		`{"messages":[{"role":"user","parts":[{"type":"text","text":"x"}]}],"context":[{"type":"code","value":"x"}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		in, err := assistanthttp.ParseAsk(raw)
		if err == nil && (strings.TrimSpace(in.Question.Text) == "" || len(in.Question.Earlier) > 50 ||
			len(in.Question.Contexts) > 10) {
			t.Errorf("%q: %+v", raw, in)
		}
	})
}
