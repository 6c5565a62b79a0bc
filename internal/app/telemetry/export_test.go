package telemetry

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/lectern-docs/lectern/internal/testkit/otlpreceiver"
)

// buffer is a log that exports may write to while a test reads from it.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// toReceiver sends all signals to a receiver over the named protocol.
func toReceiver(r *otlpreceiver.Receiver, protocol string, log *slog.Logger) ExportOptions {
	at := func(signal string) Collector {
		if protocol == "grpc" {
			return Collector{URL: r.GRPC, GRPC: true, Headers: map[string]string{"x-tenant": "docs"}}
		}
		return Collector{URL: r.HTTP + "/v1/" + signal, Headers: map[string]string{"x-tenant": "docs"}}
	}
	return ExportOptions{
		Traces: at("traces"), Metrics: at("metrics"), Logs: at("logs"), Version: "1.2.3", Instance: "proc_1",
		Registry: NewMetrics("1.2.3", (&clock{}).now), Redactor: NewRedactor("the-operators-secret-key"), Log: log,
	}
}

func openExport(t *testing.T, o ExportOptions) *Export {
	t.Helper()
	e, err := OpenExport(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// eachProtocol runs a test over HTTP and over gRPC.
func eachProtocol(t *testing.T, test func(t *testing.T, r *otlpreceiver.Receiver, protocol string)) {
	for _, protocol := range []string{"http", "grpc"} {
		t.Run(protocol, func(t *testing.T) { test(t, otlpreceiver.New(t), protocol) })
	}
}

func values(list []*commonpb.KeyValue) map[string]any {
	out := map[string]any{}
	for _, a := range list {
		switch v := a.GetValue().GetValue().(type) {
		case *commonpb.AnyValue_StringValue:
			out[a.GetKey()] = v.StringValue
		case *commonpb.AnyValue_IntValue:
			out[a.GetKey()] = v.IntValue
		case *commonpb.AnyValue_BoolValue:
			out[a.GetKey()] = v.BoolValue
		case *commonpb.AnyValue_DoubleValue:
			out[a.GetKey()] = v.DoubleValue
		case *commonpb.AnyValue_KvlistValue:
			out[a.GetKey()] = values(v.KvlistValue.GetValues())
		}
	}
	return out
}

func TestSpansReachACollector(t *testing.T) {
	eachProtocol(t, func(t *testing.T, r *otlpreceiver.Receiver, protocol string) {
		e := openExport(t, toReceiver(r, protocol, slog.New(slog.DiscardHandler)))
		before := time.Now()
		h := e.Tracing.Instrument("GET /v1/things/{id}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, end := e.Tracing.Start(r.Context(), "build", slog.Int("pages", 12), slog.Bool("cold", true),
				slog.Float64("share", 0.5), slog.String("source", "https://u:hunter2@h/x"),
				slog.Duration("limit", time.Second), slog.String("key", "the-operators-secret-key"))
			_, endInner := e.Tracing.Start(ctx, "inner")
			endInner(nil)
			end(errors.New("fetch https://u:hunter2@h/x with " + canary))
			w.WriteHeader(http.StatusBadGateway)
		}))
		req := httptest.NewRequest(http.MethodGet, "/v1/things/1?secret=hunter2", nil)
		req.Header.Set("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
		h.ServeHTTP(httptest.NewRecorder(), req)
		e.Close()

		spans, resource := r.Spans()
		if resource["service.name"] != "lectern" || resource["service.version"] != "1.2.3" ||
			resource["service.instance.id"] != "proc_1" {
			t.Errorf("resource %v", resource)
		}
		if r.Header("x-tenant") != "docs" {
			t.Error("the collector's headers were not sent")
		}
		checkSpans(t, spans, before)
		for _, secret := range []string{"hunter2", canary[8:20], "operators-secret"} { // K9
			if strings.Contains(r.Text(), secret) {
				t.Errorf("%q was sent: %s", secret, r.Text())
			}
		}
	})
}

func checkSpans(t *testing.T, spans map[string]*tracepb.Span, before time.Time) {
	t.Helper()
	server, build, inner := spans["GET /v1/things/{id}"], spans["build"], spans["inner"]
	if server == nil || build == nil || inner == nil {
		t.Fatalf("spans are missing: %v", spans)
	}
	for _, s := range []*tracepb.Span{server, build, inner} {
		if id := hex.EncodeToString(s.GetTraceId()); id != "0af7651916cd43dd8448eb211c80319c" {
			t.Errorf("%s is not part of the caller's trace: %s", s.GetName(), id)
		}
		if s.GetStartTimeUnixNano() < uint64(before.UnixNano()) || s.GetEndTimeUnixNano() < s.GetStartTimeUnixNano() {
			t.Errorf("%s: times %d to %d", s.GetName(), s.GetStartTimeUnixNano(), s.GetEndTimeUnixNano())
		}
	}
	if hex.EncodeToString(server.GetParentSpanId()) != "b7ad6b7169203331" ||
		!bytes.Equal(build.GetParentSpanId(), server.GetSpanId()) ||
		!bytes.Equal(inner.GetParentSpanId(), build.GetSpanId()) {
		t.Errorf("parents: %x %x %x", server.GetParentSpanId(), build.GetParentSpanId(), inner.GetParentSpanId())
	}
	if server.GetKind() != tracepb.Span_SPAN_KIND_SERVER || build.GetKind() != tracepb.Span_SPAN_KIND_INTERNAL {
		t.Errorf("kinds: %v and %v", server.GetKind(), build.GetKind())
	}
	if a := values(server.GetAttributes()); a["http.response.status_code"] != int64(502) ||
		a["http.route"] != "GET /v1/things/{id}" || a["http.request.method"] != "GET" {
		t.Errorf("the request's attributes: %v", a)
	}
	if a := values(build.GetAttributes()); a["pages"] != int64(12) || a["cold"] != true || a["share"] != 0.5 ||
		a["source"] != "https://***@h/x" || a["limit"] != "1s" || a["key"] != "***" {
		t.Errorf("the work's attributes: %v", a)
	}
	if s := build.GetStatus(); s.GetCode() != tracepb.Status_STATUS_CODE_ERROR ||
		s.GetMessage() != "fetch https://***@h/x with lectern_***" {
		t.Errorf("the failed span's status: %v", s)
	}
	if server.GetStatus().GetCode() != tracepb.Status_STATUS_CODE_ERROR {
		t.Error("a 5xx response is not an error")
	}
	if inner.GetStatus().GetCode() != tracepb.Status_STATUS_CODE_UNSET {
		t.Errorf("a successful span has the status %v", inner.GetStatus())
	}
}

func TestMetricsReachACollector(t *testing.T) {
	eachProtocol(t, func(t *testing.T, r *otlpreceiver.Receiver, protocol string) {
		var log buffer
		o := toReceiver(r, protocol, slog.New(slog.NewTextHandler(&log, nil)))
		e := openExport(t, o)
		o.Registry.Gauge("lectern_broken", "Fails.", func() float64 { panic("no") })
		o.Registry.Gauge("lectern_queue_depth", "Jobs that wait.", func() float64 { return 7 })
		o.Registry.JobStarted("export")("done")
		e.Close()

		sent, resource := r.Metrics()
		if resource["service.instance.id"] != "proc_1" {
			t.Errorf("resource %v", resource)
		}
		if p := sent["lectern_queue_depth"].GetGauge().GetDataPoints(); len(p) != 1 || p[0].GetAsDouble() != 7 {
			t.Errorf("gauge: %v", p)
		}
		ended := sent["lectern_jobs_ended_total"].GetSum()
		if p := ended.GetDataPoints(); len(p) != 1 || p[0].GetAsDouble() != 1 || !ended.GetIsMonotonic() ||
			ended.GetAggregationTemporality() != metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE ||
			values(p[0].GetAttributes())["outcome"] != "done" {
			t.Errorf("counter: %v", ended)
		}
		took := sent["lectern_job_duration_seconds"].GetHistogram()
		if p := took.GetDataPoints(); len(p) != 1 || p[0].GetCount() != 1 ||
			len(p[0].GetExplicitBounds()) != len(jobBuckets) || p[0].GetBucketCounts()[0] != 1 {
			t.Errorf("histogram: %v", p)
		}
		if sent["lectern_broken"] != nil || !strings.Contains(log.String(), "lectern_broken") {
			t.Errorf("the broken metric is not reported: %s", log.String())
		}
		if sent["go_goroutines"] == nil || sent["process_resident_memory_bytes"] == nil {
			t.Error("process metrics are missing")
		}
	})
}

// K9: a secret is not sent to a collector, however it is logged.
func TestLogsReachACollectorWithoutSecrets(t *testing.T) {
	eachProtocol(t, func(t *testing.T, r *otlpreceiver.Receiver, protocol string) {
		var local buffer
		mask := NewRedactor("the-operators-secret-key")
		logger, err := NewLogger(&local, LogOptions{Format: "json", Level: "info", Redactor: mask})
		if err != nil {
			t.Fatal(err)
		}
		e := openExport(t, toReceiver(r, protocol, logger))
		const password = "hunter2hunter2"
		secretURL := "https://bot:" + password + "@git.example.com/docs"
		parsed, err := url.Parse(secretURL)
		if err != nil {
			t.Fatal(err)
		}
		ctx, end := e.Tracing.Start(t.Context(), "work")
		e.Log.InfoContext(ctx, "hello", "pages", 12, "took", time.Second, "error", errors.New("open "+secretURL))
		end(nil)
		e.Log.Debug("below the level of the local log")
		e.Log.Info("message " + canary + " " + secretURL)
		e.Log.Info("attr", "key", canary, "url", secretURL, "parsed", parsed, canary, "as a name")
		e.Log.With("with", canary).WithGroup("group").Info("nested", slog.Group("inner", "key", canary, "fine", "text"))
		e.Log.Warn("struct", "value", struct{ Key, URL string }{canary, secretURL}, "bytes", []byte(secretURL))
		e.Log.Info("literal", "value", "the-operators-secret-key", "list", []string{secretURL},
			"error", fmt.Errorf("x: %w", errors.New(canary)))
		e.Close()
		e.Log.Info("after the end") // only to the local log

		records := r.Logs()
		if len(records) != 6 {
			t.Fatalf("%d records, want 6: %s", len(records), r.Text())
		}
		spans, _ := r.Spans()
		first := records[0]
		if first.GetBody().GetStringValue() != "hello" || first.GetSeverityText() != "INFO" ||
			!bytes.Equal(first.GetSpanId(), spans["work"].GetSpanId()) {
			t.Errorf("record: %v", first)
		}
		if a := values(first.GetAttributes()); a["pages"] != int64(12) ||
			a["error"] != "open https://***@git.example.com/docs" {
			t.Errorf("record: %v", first)
		}
		group, _ := values(records[3].GetAttributes())["group"].(map[string]any)
		if inner, _ := group["inner"].(map[string]any); inner["fine"] != "text" || inner["key"] != "lectern_***" {
			t.Errorf("groups: %v", records[3])
		}
		for _, secret := range []string{canary[8:20], password, "the-operators"} {
			if strings.Contains(r.Text(), secret) {
				t.Errorf("%q was sent: %s", secret, r.Text())
			}
		}
		if n := strings.Count(local.String(), "\n"); n != 7 {
			t.Errorf("%d local lines, want 7:\n%s", n, local.String())
		}
	})
}

func TestNothingIsSentWithoutACollector(t *testing.T) {
	local := slog.New(slog.DiscardHandler)
	e := openExport(t, ExportOptions{Log: local})
	ctx, end := e.Tracing.Start(context.Background(), "work", slog.String("a", "b"))
	end(errors.New("x"))
	if e.Log != local || len(e.stop) != 0 || trace.SpanContextFromContext(ctx).IsValid() {
		t.Error("something is exported")
	}
	e.Close()
}

func TestOnlyChosenSignalsAreSent(t *testing.T) {
	r := otlpreceiver.New(t)
	o := toReceiver(r, "http", slog.New(slog.DiscardHandler))
	o.Metrics, o.Logs = Collector{}, Collector{}
	e := openExport(t, o)
	_, end := e.Tracing.Start(t.Context(), "work")
	e.Log.Info("hello")
	end(nil)
	e.Close()
	spans, _ := r.Spans()
	metrics, _ := r.Metrics()
	if len(spans) != 1 || len(metrics) != 0 || len(r.Logs()) != 0 {
		t.Errorf("%d spans, %d metrics, %d log records", len(spans), len(metrics), len(r.Logs()))
	}
}

// A collector's refusal is logged only locally: sending it to the collector would cause the next refusal.
func TestRefusalOfACollectorIsLoggedLocally(t *testing.T) {
	r := otlpreceiver.New(t)
	r.Refuse(http.StatusBadRequest)
	var log buffer
	e := openExport(t, toReceiver(r, "http", slog.New(slog.NewTextHandler(&log, nil))))
	_, end := e.Tracing.Start(t.Context(), "work")
	end(nil)
	e.Log.Info("hello")
	e.Close()
	if !strings.Contains(log.String(), "failed to send telemetry") || !strings.Contains(log.String(), "400") {
		t.Errorf("nothing in the log: %q", log.String())
	}
	if len(r.Logs()) != 0 {
		t.Errorf("sent: %s", r.Text())
	}
}

// Close returns within its limit even if an exporter ignores its context.
func TestCloseDoesNotWaitForAStuckExporter(t *testing.T) {
	var log buffer
	e := openExport(t, ExportOptions{Log: slog.New(slog.NewTextHandler(&log, nil))})
	e.patience = 10 * time.Millisecond
	stuck := make(chan struct{})
	defer close(stuck)
	e.stop = append(e.stop, func(context.Context) error { <-stuck; return nil })
	e.Close()
	if !strings.Contains(log.String(), "took too long") {
		t.Errorf("log: %q", log.String())
	}
}

// A collector that accepts connections and never responds delays neither work nor, beyond the limit, the shutdown.
func TestUnresponsiveCollectorDelaysNothing(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for name, c := range map[string]Collector{
		"http":           {URL: "http://" + l.Addr().String() + "/v1/x"},
		"grpc":           {URL: "http://" + l.Addr().String(), GRPC: true},
		"nobody listens": {URL: "http://127.0.0.1:1/v1/x"},
	} {
		t.Run(name, func(t *testing.T) {
			var log buffer
			e := openExport(t, ExportOptions{Traces: c, Metrics: c, Logs: c, Registry: NewMetrics("v", (&clock{}).now),
				Log: slog.New(slog.NewTextHandler(&log, nil))})
			e.patience = 50 * time.Millisecond
			h := e.Tracing.Instrument("GET /", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				e.Log.InfoContext(r.Context(), "request")
			}))
			for range 20_000 { // more than all queues can hold
				h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
			}
			e.Close()
			if !strings.Contains(log.String(), "level=WARN") {
				t.Error("the loss is not in the log")
			}
		})
	}
}
