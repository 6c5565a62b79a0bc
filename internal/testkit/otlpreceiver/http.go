package otlpreceiver

import (
	"compress/gzip"
	"io"
	"net/http"
	"testing"

	logspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"
)

// handler accepts OTLP over HTTP in binary encoding, at the paths that the protocol defines.
func (r *Receiver) handler(t testing.TB) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/traces", func(w http.ResponseWriter, req *http.Request) {
		m := &tracepb.ExportTraceServiceRequest{}
		if r.read(t, w, req, m) {
			r.keep(req.Header, func() { r.traces = append(r.traces, m.GetResourceSpans()...) })
			answer(t, w, &tracepb.ExportTraceServiceResponse{})
		}
	})
	mux.HandleFunc("POST /v1/metrics", func(w http.ResponseWriter, req *http.Request) {
		m := &metricspb.ExportMetricsServiceRequest{}
		if r.read(t, w, req, m) {
			r.keep(req.Header, func() { r.metrics = append(r.metrics, m.GetResourceMetrics()...) })
			answer(t, w, &metricspb.ExportMetricsServiceResponse{})
		}
	})
	mux.HandleFunc("POST /v1/logs", func(w http.ResponseWriter, req *http.Request) {
		m := &logspb.ExportLogsServiceRequest{}
		if r.read(t, w, req, m) {
			r.keep(req.Header, func() { r.logs = append(r.logs, m.GetResourceLogs()...) })
			answer(t, w, &logspb.ExportLogsServiceResponse{})
		}
	})
	mux.HandleFunc("POST /", func(w http.ResponseWriter, req *http.Request) {
		t.Errorf("unexpected request to the collector: %s %s", req.Method, req.URL.Path)
		http.NotFound(w, req)
	})
	return mux
}

// read decodes a request into m. If the receiver is set to refuse requests, it responds with the status given to Refuse
// and returns false.
func (r *Receiver) read(t testing.TB, w http.ResponseWriter, req *http.Request, m proto.Message) bool {
	r.mu.Lock()
	status := r.status
	r.mu.Unlock()
	if status != 0 {
		w.WriteHeader(status)
		return false
	}
	body := io.Reader(req.Body)
	var err error
	if req.Header.Get("Content-Encoding") == "gzip" {
		if body, err = gzip.NewReader(req.Body); err != nil {
			t.Errorf("unpack request: %v", err)
			return false
		}
	}
	raw, err := io.ReadAll(body)
	if err == nil {
		err = proto.Unmarshal(raw, m)
	}
	if kind := req.Header.Get("Content-Type"); err != nil || kind != "application/x-protobuf" {
		t.Errorf("decode request to %s of type %s: %v", req.URL.Path, kind, err)
		w.WriteHeader(http.StatusBadRequest)
		return false
	}
	return true
}

func answer(t testing.TB, w http.ResponseWriter, m proto.Message) {
	raw, err := proto.Marshal(m)
	if err != nil {
		t.Errorf("encode response: %v", err)
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
	_, _ = w.Write(raw) // the sender may have disconnected
}
