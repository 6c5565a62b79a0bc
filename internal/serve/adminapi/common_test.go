package adminapi_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/store"
)

// takesBody reports whether a route reads a body.
func takesBody(r adminapi.Route) bool {
	return r.Method == http.MethodPost || r.Method == http.MethodPatch || r.Method == http.MethodPut
}

// A2, A7: an invalid body gets the same response on every route that takes a body.
func TestBadBodiesAreRefusedOnEveryRoute(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	for _, r := range adminapi.Routes() {
		if !takesBody(r) {
			continue
		}
		good := samples[r.OperationID].ask(x).by(r, x.key)
		with := func(body, contentType string) reply {
			a := good
			a.body, a.header = body, map[string]string{"Content-Type": contentType}
			return w.do(t, a)
		}
		with(strings.Repeat("x", 1<<20+1), "application/json").want(t, 413)
		with(`{}`, "text/plain").want(t, 415)
		with(`{}`, "").want(t, 415)
		with(`{}`, "application/json; charset=latin1").want(t, 415)
		if r.Scope == "" {
			with("\n", "application/json").want(t, 400)
			continue
		}
		for _, body := range []string{`{`, `[]`, `null`, `{"nope":1}`, `{} {}`, "{\"\xff\":1}"} {
			with(body, "application/json").want(t, 400)
		}
		if strings.HasPrefix(r.OperationID, "askAssistant") {
			continue // chat clients send other fields, which are ignored as documented
		}
		if got := with(`{"nope":1}`, "application/json; charset=UTF-8").
			want(t, 400); !strings.Contains(string(got.body), `"field":"nope"`) {
			t.Errorf("%s: the unknown field is not named: %s", r.OperationID, got.body)
		}
	}
}

// A2: all errors have the same format; do validates it against the schema Error.
func TestUnknownPathsAndMethodsReturnStandardErrors(t *testing.T) {
	w := newWorld(t, nil)
	for _, p := range []string{"/v1", "/v1/projects/", "/v1//projects", "/v1/../v1/projects", "/v3/agent",
		"/v1/projects/a/b", "/openapi.yaml", "/%2e%2e/x"} {
		if got := w.do(t, ask{method: "GET", path: p}).want(t, 404); got.code(t) != "unknown_route" {
			t.Errorf("%s: %s", p, got.body)
		}
	}
	for _, r := range adminapi.Routes() {
		p := strings.NewReplacer("{", "", "}", "").Replace(r.Pattern)
		for _, method := range []string{"COPY", "OPTIONS", "TRACE", "BREW"} {
			if got := w.do(t, ask{method: method, path: p}).
				want(t, 405); !strings.Contains(got.header.Get("Allow"), r.Method) {
				t.Errorf("%s %s: Allow: %q", method, p, got.header.Get("Allow"))
			}
		}
	}
}

func TestHeadRespondsLikeGet(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	got := w.do(t, ask{"HEAD", "/v1/deployment", x.key, "", nil}).want(t, 200)
	if got.header.Get("ETag") == "" || len(got.body) != 0 {
		t.Errorf("%v %q", got.header, got.body)
	}
	w.do(t, ask{"HEAD", "/v1/static-export/jobs/" + x.done.ID + "/events", x.key, "", nil}).want(t, 405)
}

// A2: a panic or a failing store results in a 500, reveals nothing and is logged once.
func TestUnexpectedErrorRevealsNothing(t *testing.T) {
	w := newWorld(t, func(o *adminapi.Options) {
		o.Ready = func(context.Context) error { panic("canary in the coal mine") }
	})
	got := w.do(t, ask{method: "GET", path: "/readyz"}).want(t, 500)
	if strings.Contains(string(got.body), "canary") || strings.Count(w.log.String(), "panic: canary") != 1 {
		t.Errorf("body %s, log %s", got.body, w.log)
	}
	x := w.newTenant(t, "a", account.PlanEnterprise)
	must(t, w.store.Close())
	for _, r := range adminapi.Routes() {
		if r.Scope == "" && r.OperationID != "receivePush" && r.OperationID != "reportLeakedKeys" {
			continue
		}
		got := w.do(t, samples[r.OperationID].ask(x).by(r, x.key)).want(t, 500)
		name := got.object(t)["requestId"].(string) // random letters, which may form any word
		if strings.Contains(strings.ReplaceAll(string(got.body), name, ""), "sql") ||
			!strings.Contains(w.log.String(), name) {
			t.Errorf("%s: %s", r.OperationID, got.body)
		}
	}
}

// keysAway is a database that does not respond.
type keysAway struct{ auth.Keys }

func (keysAway) FindPrincipal(context.Context, ...string) (store.Principal, error) {
	return store.Principal{}, fmt.Errorf("find key: %w: dial tcp 10.0.0.7: refused", fault.ErrUnavailable)
}

// A database outage is neither the caller's fault nor a bug: the response is 503 with Retry-After.
func TestDatabaseOutageRespondsWithRetryAfter(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, func(o *adminapi.Options) { o.Keys = keysAway{o.Keys} })
	for _, r := range adminapi.Routes() {
		if r.Scope == "" {
			continue
		}
		got := w.do(t, samples[r.OperationID].ask(x).by(r, x.key)).want(t, 503)
		if got.header.Get("Retry-After") == "" || strings.Contains(string(got.body), "10.0.0.7") {
			t.Errorf("%s: %v %s", r.OperationID, got.header, got.body)
		}
	}
}

func TestReadinessNamesFailingDependency(t *testing.T) {
	var err error
	w := newWorld(t, func(o *adminapi.Options) { o.Ready = func(context.Context) error { return err } })
	w.do(t, ask{method: "GET", path: "/readyz"}).want(t, 200)
	err = errors.New("dial tcp 10.0.0.7: refused")
	if got := w.do(t, ask{method: "GET", path: "/readyz"}).
		want(t, 503); strings.Contains(string(got.body), "10.0.0.7") {
		t.Errorf("response reveals internals: %s", got.body)
	}
	err = errors.Join(fault.New(fault.Unavailable, "not_ready", "The database does not respond.").WithField("database"),
		fault.New(fault.Unavailable, "not_ready", "The stored files cannot be read.").WithField("blob"))
	if got := w.do(t, ask{method: "GET", path: "/readyz"}).want(t, 503); !strings.Contains(string(got.body),
		`"database"`) || !strings.Contains(string(got.body), `"blob"`) {
		t.Errorf("%s", got.body)
	}
	w.do(t, ask{method: "GET", path: "/healthz"}).want(t, 200)
}

// A3: the request id is in the response, the log and the audit record; an id sent by the caller is used.
func TestEveryResponseHasARequestID(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	for _, r := range adminapi.Routes() {
		a := samples[r.OperationID].ask(x).by(r, x.key)
		if r.OperationID == "deleteProject" {
			continue // the routes after it still need the project
		}
		name := "caller.chose-" + r.OperationID
		header := map[string]string{"X-Request-Id": name}
		for k, v := range a.header {
			header[k] = v
		}
		a.header = header
		if got := w.do(t, a); got.header.Get("X-Request-Id") != name ||
			!strings.Contains(w.log.String(), "requestId="+name) {
			t.Errorf("%s: X-Request-Id %q", r.OperationID, got.header.Get("X-Request-Id"))
		}
	}
	got := w.do(t, ask{"GET", "/v1/projects/prj_none", x.key, "", map[string]string{"X-Request-Id": "bad id!"}}).
		want(t, 404)
	if name := got.object(t)["requestId"]; name != got.header.Get("X-Request-Id") || name == "bad id!" {
		t.Errorf("%s", got.body)
	}
	events, err := w.store.ListEvents(t.Context(), x.org.ID, 0, 100)
	must(t, err)
	recorded := map[string]string{}
	for _, e := range events {
		recorded[e.RequestID] += e.Action + " "
		if !e.Verify() {
			t.Errorf("record %d does not verify", e.Sequence)
		}
	}
	// D8: every operation that changes something left an audit record.
	for _, r := range adminapi.Routes() {
		changes := r.Method != http.MethodGet && r.OperationID != "deleteProject" && r.Scope != account.ScopeDiscovery
		if _, ok := recorded["caller.chose-"+r.OperationID]; ok != changes {
			t.Errorf("%s: recorded %v (%s)", r.OperationID, ok, recorded["caller.chose-"+r.OperationID])
		}
	}
}

// A5: the limit is exact on every route, and all responses to a known key have the rate limit headers.
func TestRateLimit(t *testing.T) {
	const limit = 5
	w, x := newWorldOf(t, account.PlanEnterprise, func(o *adminapi.Options) { o.RateLimit = limit })
	for _, r := range adminapi.Routes() {
		if r.Scope == "" {
			continue
		}
		key, _ := w.newKey(t, x.org.ID, nil)
		a := samples[r.OperationID].ask(nobody(w)).by(r, key) // mostly 404: refused requests count too
		for left := limit - 1; left >= 0; left-- {
			if got := w.do(t, a); got.status == 429 && r.OperationID != "createKey" ||
				got.header.Get("RateLimit-Remaining") != strconv.Itoa(left) ||
				got.header.Get("RateLimit-Limit") != "5" {
				t.Fatalf("%s: %d %v", r.OperationID, got.status, got.header)
			}
		}
		got := w.do(t, a).want(t, 429)
		wait, err := strconv.Atoi(got.header.Get("Retry-After"))
		if err != nil || wait < 1 || wait > 60 || got.header.Get("RateLimit-Reset") != got.header.Get("Retry-After") {
			t.Fatalf("%s: %v", r.OperationID, got.header)
		}
		w.clock.Advance(time.Duration(wait) * time.Second)
		if got := w.do(t, a); got.header.Get("RateLimit-Remaining") != "4" {
			t.Errorf("%s after Retry-After: %d %v", r.OperationID, got.status, got.header)
		}
		w.clock.Advance(2 * time.Hour) // the keys created here must not use up the ten per hour
	}
}

// A6: every GET response with a cacheable body has an ETag, and a client that already has the body gets 304.
func TestUnchangedResponsesAre304(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	for _, r := range adminapi.Routes() {
		if r.Method != http.MethodGet || strings.HasPrefix(r.OperationID, "stream") ||
			slices.Contains([]string{"getHealth", "getReadiness", "checkEvents", "exportEvents"}, r.OperationID) {
			continue
		}
		a := samples[r.OperationID].ask(x).by(r, x.key)
		first := w.do(t, a).want(t, 200)
		tag := first.header.Get("ETag")
		if tag == "" || first.header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s: %v", r.OperationID, first.header)
		}
		for _, have := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
			a.header = map[string]string{"If-None-Match": have}
			w.do(t, a).want(t, 304)
		}
		a.header = map[string]string{"If-None-Match": `"other"`}
		w.do(t, a).want(t, 200)
	}
	a := ask{"GET", "/v1/static-export/jobs/" + x.queued.ID, x.key, "", nil}
	before := w.do(t, a).header.Get("ETag")
	w.do(t, ask{"POST", "/v1/static-export/jobs/" + x.queued.ID + "/cancel", x.key, "", nil}).want(t, 200)
	a.header = map[string]string{"If-None-Match": before}
	w.do(t, a).want(t, 200)
}

// A10: a client that follows cursors sees each entry once while others add entries.
func TestPaginationNeitherSkipsNorRepeatsNewEntries(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	want := map[string]bool{x.done.ID: true, x.queued.ID: true}
	add := func() string {
		w.clock.Advance(time.Duration(len(want)%3) * time.Microsecond) // some at the same time
		return w.newExport(t, x).ID
	}
	for range 30 {
		want[add()] = true
	}
	type list struct {
		Jobs []struct {
			JobID string `json:"jobId"`
		} `json:"jobs"`
		NextCursor *string `json:"nextCursor"`
	}
	seen, cursor := map[string]bool{}, ""
	for pages := 0; ; pages++ {
		got := read[list](t, w.do(t, ask{"GET", "/v1/static-export/jobs?limit=7&cursor=" + cursor, x.key, "", nil}).
			want(t, 200))
		for _, j := range got.Jobs {
			if seen[j.JobID] {
				t.Errorf("%s was listed twice", j.JobID)
			}
			seen[j.JobID] = true
		}
		if got.NextCursor == nil {
			break
		}
		if len(got.Jobs) != 7 || pages > 10 {
			t.Fatalf("page %d has %d jobs", pages, len(got.Jobs))
		}
		cursor = *got.NextCursor
		add() // listed before everything read so far
	}
	for one := range want {
		if !seen[one] {
			t.Errorf("%s was skipped", one)
		}
	}
}

func TestErrorNamesInvalidParameter(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	agent := "/v2/agent/" + x.project.ID
	for _, p := range []string{"/v1/static-export/jobs", "/v1/projects", "/v1/keys", agent + "/jobs",
		agent + "/proposals", "/v1/events", "/v1/projects/" + x.project.ID + "/deployments"} {
		for field, bad := range map[string][]string{"limit": {"0", "101", "-1", "x", "1.5"},
			"cursor": {"!!", "AAAA", strings.Repeat("A", 600)}} {
			for _, v := range bad {
				if got := w.do(t, ask{"GET", p + "?" + field + "=" + v, x.key, "", nil}).
					want(t, 400); !strings.Contains(string(got.body), `"field":"`+field+`"`) {
					t.Errorf("%s=%s: %s", field, v, got.body)
				}
			}
		}
		w.do(t, ask{"GET", p + "?limit=1&colour=blue", x.key, "", nil}).want(t, 200)
		for _, q := range []string{"cursor=%zz", "limit=5;cursor=x"} {
			if got := w.do(t, ask{"GET", p + "?" + q, x.key, "", nil}).want(t, 400); got.code(t) != "invalid_query" {
				t.Errorf("%s: %s", q, got.body)
			}
		}
	}
	for p, field := range map[string]string{"/v1/static-export/jobs?status=done": "status",
		agent + "/jobs?status=done":                            "status",
		"/v1/projects/" + x.project.ID + "/deployments?kind=x": "kind", agent + "/job/" + x.agentDone.ID +
			"/entries?after=-1": "after",
		"/v1/events?since=yesterday": "since", "/v1/events/export?until=1": "until", "/v1/events?actor=%00": "actor",
		"/v1/events/export?format=pdf": "format"} {
		if got := w.do(t, ask{"GET", p, x.key, "", nil}).want(t, 400); !strings.Contains(string(got.body), field) {
			t.Errorf("%s", got.body)
		}
	}
	w.do(t, ask{"POST", "/v1/static-export/jobs/" + x.done.ID + "/bundle?format=%zz", x.key, "", nil}).want(t, 400)
	got := w.do(t, ask{"POST", "/v1/static-export/jobs/" + x.done.ID + "/bundle?format=rar", x.key, "", nil}).
		want(t, 400)
	if !strings.Contains(string(got.body), `"field":"format"`) {
		t.Errorf("%s", got.body)
	}
}

// counting counts lookups of keys.
type counting struct {
	*store.Store
	n int
}

func (c *counting) FindPrincipal(ctx context.Context, hashes ...string) (store.Principal, error) {
	c.n++
	return c.Store.FindPrincipal(ctx, hashes...)
}

// K1: a mistyped key costs no query on any route.
func TestMistypedKeyCausesNoQuery(t *testing.T) {
	var c *counting
	w, x := newWorldOf(t, account.PlanEnterprise, func(o *adminapi.Options) { c = &counting{Store: o.Store}; o.Keys = c })
	altered := x.key[:12] + string(rune('a'+(x.key[12]+1)%26)) + x.key[13:]
	if altered == x.key {
		altered = x.key[:12] + "_" + x.key[13:]
	}
	for _, r := range adminapi.Routes() {
		if r.Scope != "" {
			w.do(t, samples[r.OperationID].ask(x).by(r, altered)).want(t, 401)
		}
	}
	if c.n != 0 {
		t.Errorf("%d queries", c.n)
	}
	w.do(t, ask{"GET", "/v1/deployment", x.key, "", nil}).want(t, 200)
	if c.n != 1 {
		t.Errorf("%d queries for a valid key", c.n)
	}
}

// An unresponsive database does not block callers: they get the usual response for unexpected errors.
func TestUnresponsiveDatabaseDoesNotBlockCallers(t *testing.T) {
	w := newWorld(t, func(o *adminapi.Options) {
		o.Longest = 20 * time.Millisecond
		o.Keys = silent{o.Store}
	})
	x := w.newTenant(t, "slow", account.PlanEnterprise)
	names := []string{"listProjects", "createAgentJobV1", "askAssistant", "streamAgentJob", "exportEvents"}
	for _, r := range adminapi.Routes() {
		if !slices.Contains(names, r.OperationID) {
			continue
		}
		if got := w.do(t, samples[r.OperationID].ask(x).by(r, x.key)); got.status != http.StatusInternalServerError {
			t.Errorf("%s: %d %s", r.OperationID, got.status, got.body)
		}
	}
}

// silent blocks every caller, like a connection that was cut.
type silent struct{ *store.Store }

func (silent) FindPrincipal(ctx context.Context, _ ...string) (store.Principal, error) {
	<-ctx.Done()
	return store.Principal{}, ctx.Err()
}
