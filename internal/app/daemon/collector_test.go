package daemon

import (
	"crypto/rand"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/app/telemetry"
	"github.com/lectern-docs/lectern/internal/jobs/doctor"
	"github.com/lectern-docs/lectern/internal/testkit/otlpreceiver"
)

// K9: secrets are masked even if the destination comes from the standard variables, and if only the settings contain
// them.
func TestCoreSendsTracesMetricsAndLogs(t *testing.T) {
	r := otlpreceiver.New(t)
	s := config.Defaults()
	s.Data, s.OtelSignals = t.TempDir(), config.Signals()
	env := config.Env{"OTEL_EXPORTER_OTLP_ENDPOINT": r.HTTP, "OTEL_EXPORTER_OTLP_HEADERS": "x-tenant=docs"}
	c, err := openCore(t.Context(), Options{Config: s, Env: env, Version: "1.2.3", Now: time.Now, Rand: rand.Reader,
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Redactor: telemetry.NewRedactor("known-by-settings"),
	}, func() string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	c.countQueue()
	ctx, ended := c.observe(t.Context(), "export", "task-1")
	c.Logger.WarnContext(ctx, "a message", "value", "known-by-settings")
	ended("done", nil)
	if err := c.close(); err != nil {
		t.Fatal(err)
	}
	spans, resource := r.Spans()
	metrics, _ := r.Metrics()
	if spans["task export"] == nil || resource["service.instance.id"] != c.processID || r.Header("X-Tenant") != "docs" {
		t.Errorf("spans %v of %v", spans, resource)
	}
	if p := metrics["lectern_tasks_queued"].GetGauge().GetDataPoints(); len(p) != 1 || p[0].GetAsDouble() != 0 {
		t.Errorf("the queue was not read before the database was closed: %v", p)
	}
	if text := r.Text(); !strings.Contains(text, "a message") || strings.Contains(text, "known-by-settings") {
		t.Errorf("log records: %v", r.Logs())
	}
}

func TestDoctorReachesCollectorsOfBothProtocols(t *testing.T) {
	r := otlpreceiver.New(t)
	look := func(endpoint, protocol string) []doctor.Finding {
		s := config.Defaults()
		s.OtelEndpoint, s.OtelProtocol, s.OtelSignals = endpoint, protocol, []string{config.SignalTraces}
		c := &clinic{core: &core{Options: Options{Config: s}}}
		var found []doctor.Finding
		for _, e := range c.collectors(operatorClient()) {
			found = append(found, e.Look(t.Context())...)
		}
		return found
	}
	for _, c := range []struct {
		endpoint, protocol string
		want               doctor.Level
	}{
		{r.HTTP, "http/protobuf", doctor.OK}, {r.GRPC, "grpc", doctor.OK},
		{"http://127.0.0.1:1", "http/protobuf", doctor.Fail}, {"http://127.0.0.1:1", "grpc", doctor.Fail},
	} {
		if found := look(c.endpoint, c.protocol); len(found) != 1 || found[0].Level != c.want {
			t.Errorf("%s by %s: %v", c.endpoint, c.protocol, found)
		}
	}
}
