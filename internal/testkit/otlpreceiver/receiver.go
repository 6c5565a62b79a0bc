package otlpreceiver

import (
	"context"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	logspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logs "go.opentelemetry.io/proto/otlp/logs/v1"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
)

// Receiver stores received telemetry. It is safe for concurrent use.
type Receiver struct {
	HTTP string // base URL of OTLP over HTTP
	GRPC string // URL of OTLP over gRPC, without TLS

	mu      sync.Mutex // guards the rest
	traces  []*trace.ResourceSpans
	metrics []*metrics.ResourceMetrics
	logs    []*logs.ResourceLogs
	headers map[string]string // of the last request, with names in lower case
	status  int               // status for refusing HTTP requests; 0 = accept them
}

// New starts a receiver that stops at the end of the test.
func New(t testing.TB) *Receiver {
	t.Helper()
	r := &Receiver{headers: map[string]string{}}
	web := httptest.NewServer(r.handler(t))
	t.Cleanup(web.Close)
	r.HTTP = web.URL
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	tracepb.RegisterTraceServiceServer(server, traceService{to: r})
	metricspb.RegisterMetricsServiceServer(server, metricsService{to: r})
	logspb.RegisterLogsServiceServer(server, logsService{to: r})
	go func() { _ = server.Serve(l) }() // until Stop
	t.Cleanup(server.Stop)
	r.GRPC = "http://" + l.Addr().String()
	return r
}

// Refuse makes the receiver respond to later HTTP requests with the status.
func (r *Receiver) Refuse(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

// Header returns a header of the last request, or "".
func (r *Receiver) Header(name string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.headers[strings.ToLower(name)]
}

// Spans returns the spans by name, and the attributes of the process that sent the last one.
func (r *Receiver) Spans() (spans map[string]*trace.Span, resource map[string]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	spans = map[string]*trace.Span{}
	for _, from := range r.traces {
		resource = texts(from.GetResource().GetAttributes())
		for _, scope := range from.GetScopeSpans() {
			for _, s := range scope.GetSpans() {
				spans[s.GetName()] = s
			}
		}
	}
	return spans, resource
}

// Metrics returns the last received state of each metric by name, and the attributes of the process that sent them.
func (r *Receiver) Metrics() (byName map[string]*metrics.Metric, resource map[string]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	byName = map[string]*metrics.Metric{}
	for _, from := range r.metrics {
		resource = texts(from.GetResource().GetAttributes())
		for _, scope := range from.GetScopeMetrics() {
			for _, m := range scope.GetMetrics() {
				byName[m.GetName()] = m
			}
		}
	}
	return byName, resource
}

// Logs returns the log records in the order of arrival.
func (r *Receiver) Logs() (records []*logs.LogRecord) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, from := range r.logs {
		for _, scope := range from.GetScopeLogs() {
			records = append(records, scope.GetLogRecords()...)
		}
	}
	return records
}

// Text returns everything received, as text.
func (r *Receiver) Text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	write := func(m proto.Message) { b.WriteString(prototext.MarshalOptions{Multiline: true}.Format(m)) }
	for _, m := range r.traces {
		write(m)
	}
	for _, m := range r.metrics {
		write(m)
	}
	for _, m := range r.logs {
		write(m)
	}
	return b.String()
}

// texts returns the attributes that have string values.
func texts(list []*commonpb.KeyValue) map[string]string {
	out := map[string]string{}
	for _, a := range list {
		out[a.GetKey()] = a.GetValue().GetStringValue()
	}
	return out
}

// keep records a request of either protocol.
func (r *Receiver) keep(headers map[string][]string, add func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, values := range headers {
		r.headers[strings.ToLower(name)] = strings.Join(values, ",")
	}
	add()
}

type traceService struct {
	tracepb.UnimplementedTraceServiceServer
	to *Receiver
}

// Export accepts spans.
func (s traceService) Export(
	ctx context.Context, m *tracepb.ExportTraceServiceRequest,
) (*tracepb.ExportTraceServiceResponse, error) {
	sent, _ := metadata.FromIncomingContext(ctx)
	s.to.keep(sent, func() { s.to.traces = append(s.to.traces, m.GetResourceSpans()...) })
	return &tracepb.ExportTraceServiceResponse{}, nil
}

type metricsService struct {
	metricspb.UnimplementedMetricsServiceServer
	to *Receiver
}

// Export accepts metrics.
func (s metricsService) Export(
	ctx context.Context, m *metricspb.ExportMetricsServiceRequest,
) (*metricspb.ExportMetricsServiceResponse, error) {
	sent, _ := metadata.FromIncomingContext(ctx)
	s.to.keep(sent, func() { s.to.metrics = append(s.to.metrics, m.GetResourceMetrics()...) })
	return &metricspb.ExportMetricsServiceResponse{}, nil
}

type logsService struct {
	logspb.UnimplementedLogsServiceServer
	to *Receiver
}

// Export accepts log records.
func (s logsService) Export(
	ctx context.Context, m *logspb.ExportLogsServiceRequest,
) (*logspb.ExportLogsServiceResponse, error) {
	sent, _ := metadata.FromIncomingContext(ctx)
	s.to.keep(sent, func() { s.to.logs = append(s.to.logs, m.GetResourceLogs()...) })
	return &logspb.ExportLogsServiceResponse{}, nil
}
