package telemetry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// collector is an OTLP/HTTP server that answers with the given statuses in turn, then with 200, and keeps what it accepted.
type collector struct {
	*httptest.Server
	mu       sync.Mutex
	statuses []int
	bodies   [][]byte
	auth     string
}

func newCollector(t *testing.T, statuses ...int) *collector {
	t.Helper()
	c := &collector{statuses: statuses}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("unexpected call: %s %s %s %v", r.Method, r.URL.Path, r.Header.Get("Content-Type"), err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.auth, _, _ = r.BasicAuth()
		if len(c.statuses) > 0 {
			status := c.statuses[0]
			c.statuses = c.statuses[1:]
			w.Header().Set("Retry-After", "3")
			w.WriteHeader(status)
			return
		}
		c.bodies = append(c.bodies, body)
		io.WriteString(w, "{}")
	}))
	t.Cleanup(c.Close)
	return c
}

// spans decodes what arrived with types of the test's own, as a collector in another language would.
func (c *collector) spans(t *testing.T) (resource map[string]string, spans map[string]map[string]any) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	resource, spans = map[string]string{}, map[string]map[string]any{}
	for _, body := range c.bodies {
		var request struct {
			ResourceSpans []struct {
				Resource   struct{ Attributes []map[string]any }
				ScopeSpans []struct {
					Scope struct{ Name string }
					Spans []map[string]any
				}
			}
		}
		if err := json.Unmarshal(body, &request); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		for _, rs := range request.ResourceSpans {
			for _, a := range rs.Resource.Attributes {
				resource[a["key"].(string)], _ = a["value"].(map[string]any)["stringValue"].(string)
			}
			for _, ss := range rs.ScopeSpans {
				for _, s := range ss.Spans {
					spans[s["name"].(string)] = s
				}
			}
		}
	}
	return resource, spans
}

func attributes(span map[string]any) map[string]any {
	out := map[string]any{}
	list, _ := span["attributes"].([]any)
	for _, a := range list {
		for _, v := range a.(map[string]any)["value"].(map[string]any) {
			out[a.(map[string]any)["key"].(string)] = v
		}
	}
	return out
}

func TestSpansReachACollector(t *testing.T) {
	c := newCollector(t)
	tracing, err := NewTracing(TraceOptions{Endpoint: c.URL, Version: "1.2.3", Redactor: NewRedactor()})
	if err != nil {
		t.Fatal(err)
	}
	before := time.Now()
	h := tracing.Instrument("GET /v1/things/{id}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, end := tracing.Start(r.Context(), "build", slog.Int("pages", 12), slog.Bool("cold", true), slog.Float64("share", 0.5),
			slog.String("source", "https://u:hunter2@h/x"), slog.Duration("limit", time.Second))
		_, endInner := tracing.Start(ctx, "inner")
		endInner(nil)
		end(errors.New("fetch https://u:hunter2@h/x with " + canary))
		w.WriteHeader(http.StatusBadGateway)
	}))
	req := httptest.NewRequest(http.MethodGet, "/v1/things/1?secret=hunter2", nil)
	req.Header.Set("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	h.ServeHTTP(httptest.NewRecorder(), req)
	if err := tracing.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}

	resource, spans := c.spans(t)
	if resource["service.name"] != "lectern" || resource["service.version"] != "1.2.3" {
		t.Errorf("resource %v", resource)
	}
	server, build, inner := spans["GET /v1/things/{id}"], spans["build"], spans["inner"]
	if server == nil || build == nil || inner == nil {
		t.Fatalf("spans are missing: %v", spans)
	}
	for _, s := range []map[string]any{server, build, inner} {
		if s["traceId"] != "0af7651916cd43dd8448eb211c80319c" {
			t.Errorf("%v is not part of the caller's trace: %v", s["name"], s["traceId"])
		}
		var start, end int64
		if json.Unmarshal([]byte(s["startTimeUnixNano"].(string)), &start) != nil || json.Unmarshal([]byte(s["endTimeUnixNano"].(string)), &end) != nil ||
			start < before.UnixNano() || end < start {
			t.Errorf("%v: times %v to %v", s["name"], s["startTimeUnixNano"], s["endTimeUnixNano"])
		}
	}
	if server["parentSpanId"] != "b7ad6b7169203331" || build["parentSpanId"] != server["spanId"] || inner["parentSpanId"] != build["spanId"] {
		t.Errorf("parents: %v %v %v", server["parentSpanId"], build["parentSpanId"], inner["parentSpanId"])
	}
	if server["kind"] != 2.0 || build["kind"] != 1.0 {
		t.Errorf("kinds: %v and %v, want server (2) and internal (1)", server["kind"], build["kind"])
	}
	if a := attributes(server); a["http.response.status_code"] != "502" || a["http.route"] != "GET /v1/things/{id}" || a["http.request.method"] != "GET" {
		t.Errorf("the request's attributes: %v", a)
	}
	if a := attributes(build); a["pages"] != "12" || a["cold"] != true || a["share"] != 0.5 || a["source"] != "https://***@h/x" || a["limit"] != "1s" {
		t.Errorf("the work's attributes: %v", a)
	}
	if s := build["status"].(map[string]any); s["code"] != 2.0 || s["message"] != "fetch https://***@h/x with lectern_***" {
		t.Errorf("the failed span's status: %v", s)
	}
	if s := server["status"].(map[string]any); s["code"] != 2.0 {
		t.Errorf("an answer of the 500s is no error: %v", s)
	}
	if s := inner["status"].(map[string]any); len(s) != 0 {
		t.Errorf("a span that ended well has the status %v", s)
	}
	for _, body := range c.bodies { // K9
		if bytes.Contains(body, []byte("hunter2")) || bytes.Contains(body, []byte(canary[8:20])) {
			t.Errorf("a secret left with the traces: %s", body)
		}
	}
}

// export sends one span through an exporter that notes its waits instead of waiting.
func export(t *testing.T, c *collector) ([]time.Duration, string) {
	t.Helper()
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	e, err := newExporter(c.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	var waits []time.Duration
	e.wait = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
	tracing := newTracing(reporter{e, logger}, TraceOptions{})
	_, end := tracing.Start(context.Background(), "work")
	end(nil)
	if err := tracing.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	return waits, log.String()
}

func TestBusyCollectorIsRetried(t *testing.T) {
	c := newCollector(t, http.StatusServiceUnavailable, http.StatusTooManyRequests, http.StatusBadGateway)
	waits, log := export(t, c)
	if _, spans := c.spans(t); spans["work"] == nil || log != "" {
		t.Errorf("the span did not arrive: %s", log)
	}
	if want := []time.Duration{3 * time.Second, 3 * time.Second, 4 * time.Second}; !slices.Equal(waits, want) {
		t.Errorf("waited %v, want %v: Retry-After, or longer", waits, want)
	}
}

func TestRefusingCollectorIsReportedAndNotRetried(t *testing.T) {
	for name, statuses := range map[string][]int{"refused": {400}, "always busy": {503, 503, 503, 503}} {
		c := newCollector(t, statuses...)
		waits, log := export(t, c)
		if _, spans := c.spans(t); len(spans) != 0 || len(waits) != len(statuses)-1 {
			t.Errorf("%s: asked %d times more", name, len(waits))
		}
		if !strings.Contains(log, "send traces failed") {
			t.Errorf("%s: nothing in the log: %q", name, log)
		}
	}
}

func TestSpansAreFreeWithoutAnEndpoint(t *testing.T) {
	tracing, err := NewTracing(TraceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := tracing.Start(context.Background(), "work", slog.String("a", "b"))
	end(errors.New("x"))
	if err := tracing.Shutdown(ctx); err != nil {
		t.Error(err)
	}
}

func TestEndpointMayNameTheFullPathAndAUser(t *testing.T) {
	for endpoint, want := range map[string]string{
		"http://c:4318": "http://c:4318/v1/traces", "http://c:4318/": "http://c:4318/v1/traces",
		"https://c/otel": "https://c/otel/v1/traces", "https://c/v1/traces": "https://c/v1/traces",
	} {
		if e, err := newExporter(endpoint, nil); err != nil || e.url != want {
			t.Errorf("%s: %+v, %v, want %s", endpoint, e, err, want)
		}
	}
	for _, endpoint := range []string{"collector:4317", "grpc://c", "http://", "http://u:hunter2@%zz"} {
		if _, err := NewTracing(TraceOptions{Endpoint: endpoint}); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", endpoint, err)
		}
	}
	c := newCollector(t)
	withUser := collector{}
	withUser.Server = &httptest.Server{URL: strings.Replace(c.URL, "http://", "http://me:pw@", 1)}
	export(t, &withUser)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.auth != "me" {
		t.Errorf("the endpoint's user was not sent: %q", c.auth)
	}
}
