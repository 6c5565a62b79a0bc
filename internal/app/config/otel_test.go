package config

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// collector returns the destination of a signal for the setting otel.endpoint, further settings and the variables.
func collector(t *testing.T, signal, endpoint string, change func(*Server), env Env) Collector {
	t.Helper()
	s := Defaults()
	s.OtelEndpoint = endpoint
	if change != nil {
		change(&s)
	}
	if err := s.Complete(env); err != nil {
		t.Fatal(err)
	}
	c, err := s.Collector(env, signal)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func all(s *Server) { s.OtelSignals = Signals() }

func TestNothingIsSentByDefault(t *testing.T) {
	for _, signal := range Signals() {
		for name, env := range map[string]Env{
			"no variables":                   {},
			"an exporter without an address": {"OTEL_TRACES_EXPORTER": "otlp", "OTEL_LOGS_EXPORTER": "otlp"},
			"turned off":                     {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_SDK_DISABLED": "true"},
		} {
			if c := collector(t, signal, "", nil, env); c.URL != "" {
				t.Errorf("%s, %s: sent to %s", signal, name, c.URL)
			}
		}
	}
}

func TestEachSignalHasItsCollectorAddress(t *testing.T) {
	variable := Env{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://e:1/x"}
	ofMetrics := Env{"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "http://m/in", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://e"}
	grpc := Env{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}
	for name, c := range map[string]struct {
		signal, endpoint string
		env              Env
		change           func(*Server)
		want             string
	}{
		"base":                       {"traces", "http://c:4318", nil, nil, "http://c:4318/v1/traces"},
		"base with a slash":          {"traces", "http://c:4318/", nil, nil, "http://c:4318/v1/traces"},
		"base with a path":           {"traces", "https://c/otel", nil, nil, "https://c/otel/v1/traces"},
		"whole address of traces":    {"traces", "https://c/v1/traces", nil, nil, "https://c/v1/traces"},
		"logs beside it":             {"logs", "https://c/v1/traces", nil, all, "https://c/v1/logs"},
		"metrics are not chosen":     {"metrics", "http://c", nil, nil, ""},
		"metrics are chosen":         {"metrics", "http://c", nil, all, "http://c/v1/metrics"},
		"chosen by a variable":       {"logs", "http://c", Env{"OTEL_LOGS_EXPORTER": "otlp"}, nil, "http://c/v1/logs"},
		"left out by a variable":     {"traces", "http://c", Env{"OTEL_TRACES_EXPORTER": "none"}, nil, ""},
		"variable":                   {"traces", "", variable, nil, "http://e:1/x/v1/traces"},
		"setting wins over variable": {"traces", "http://c", variable, nil, "http://c/v1/traces"},
		"variable of the signal":     {"metrics", "", ofMetrics, nil, "http://m/in"},
		"gRPC has no path":           {"traces", "http://c:4317", grpc, nil, "http://c:4317"},
	} {
		if got := collector(t, c.signal, c.endpoint, c.change, c.env); got.URL != c.want {
			t.Errorf("%s: %q, want %q", name, got.URL, c.want)
		}
	}
}

func TestProtocolSettingOverridesVariable(t *testing.T) {
	grpc := Env{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_LOGS_PROTOCOL": "http/protobuf"}
	if !collector(t, "traces", "http://c", all, grpc).GRPC || collector(t, "logs", "http://c", all, grpc).GRPC {
		t.Error("the variables are ignored")
	}
	if collector(t, "traces", "http://c", func(s *Server) { s.OtelProtocol = "http/protobuf" }, grpc).GRPC {
		t.Error("the setting does not override the variable")
	}
	if collector(t, "traces", "http://c", nil, nil).GRPC {
		t.Error("gRPC is the default")
	}
}

func TestCollectorHeadersAreSecrets(t *testing.T) {
	env := Env{"OTEL_EXPORTER_OTLP_HEADERS": "Authorization=Bearer%20tokentoken, x-tenant=docs docs",
		"OTEL_EXPORTER_OTLP_LOGS_HEADERS": "x-own=ownownown"}
	got := collector(t, "traces", "http://c", all, env).Headers
	if want := map[string]string{"Authorization": "Bearer tokentoken", "x-tenant": "docs docs"}; !maps.Equal(got,
		want) {
		t.Errorf("headers %v", got)
	}
	got = collector(t, "logs", "http://c", all, env).Headers
	if want := map[string]string{"x-own": "ownownown"}; !maps.Equal(got, want) {
		t.Errorf("headers of logs: %v", got)
	}
	withUser := collector(t, "traces", "https://me:hunter2@c", nil, nil)
	if withUser.URL != "https://c/v1/traces" || withUser.Headers["Authorization"] != "Basic bWU6aHVudGVyMg==" {
		t.Errorf("user of the address: %v", withUser)
	}
	s := Defaults()
	s.OtelEndpoint, s.OtelSignals = "http://c", Signals()
	for _, secret := range []string{"tokentoken", "ownownown"} {
		if !slices.Contains(s.CollectorSecrets(env), secret) {
			t.Errorf("%q is not known as a secret", secret)
		}
	}
}

func TestInvalidCollectorVariableErrorHidesValue(t *testing.T) {
	const endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT"
	for name, env := range map[string]Env{
		"OTEL_EXPORTER_OTLP_ENDPOINT":      {"OTEL_EXPORTER_OTLP_ENDPOINT": "grpc://u:hunter2@c:4317"},
		"OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": {"OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": "hunter2:4317"},
		"OTEL_EXPORTER_OTLP_PROTOCOL":      {"OTEL_EXPORTER_OTLP_PROTOCOL": "http/json", endpoint: "http://c"},
		"OTEL_EXPORTER_OTLP_HEADERS":       {"OTEL_EXPORTER_OTLP_HEADERS": "hunter2", endpoint: "http://c"},
	} {
		s := Defaults()
		err := s.Complete(env)
		if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", name, err)
		}
	}
	s := Defaults()
	s.OtelSignals = []string{"traces", "profiles"}
	if err := s.Complete(Env{}); err == nil || !strings.Contains(err.Error(), "otel.signals") {
		t.Errorf("unknown signal: %v", err)
	}
}
