package config

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Signals that can be sent to a collector.
const (
	SignalTraces  = "traces"
	SignalMetrics = "metrics"
	SignalLogs    = "logs"
)

// Signals lists all signals.
func Signals() []string { return []string{SignalTraces, SignalMetrics, SignalLogs} }

const (
	otlpPrefix = "OTEL_EXPORTER_OTLP_"
	otlpHTTP   = "http/protobuf"
	otlpGRPC   = "grpc"
)

// Collector is the destination of a signal sent by OTLP. Zero means that it is not sent.
type Collector struct {
	URL     string            // http or https; for HTTP including the signal's path; without a password
	GRPC    bool              // gRPC; otherwise HTTP with protocol buffers
	Headers map[string]string // sent with each request; the values are secrets
}

// Collector returns the destination of a signal, from our settings or else from OpenTelemetry's own variables in env.
func (s *Server) Collector(env Env, signal string) (c Collector, err error) {
	if !s.sends(env, signal) {
		return c, nil
	}
	if c.GRPC, err = s.overGRPC(env, signal); err != nil {
		return Collector{}, err
	}
	source, address, whole := s.endpoint(env, signal)
	if address == "" {
		return Collector{}, nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" {
		return Collector{}, badVariable(source, "must be a plain http or https URL") // the value may contain a password
	}
	if c.Headers, err = headers(env, signal); err != nil {
		return Collector{}, err
	}
	if u.User != nil {
		password, _ := u.User.Password()
		c.Headers["Authorization"] = "Basic " +
			base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+password))
		u.User = nil
	}
	if !whole && !c.GRPC {
		u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/v1/traces")
		u = u.JoinPath("v1", signal)
	}
	c.URL = u.String()
	return c, nil
}

// sends reports whether a signal is enabled. OTEL_<SIGNAL>_EXPORTER takes precedence over otel.signals.
func (s *Server) sends(env Env, signal string) bool {
	if strings.EqualFold(env["OTEL_SDK_DISABLED"], "true") {
		return false
	}
	if exporters := env["OTEL_"+strings.ToUpper(signal)+"_EXPORTER"]; exporters != "" {
		return slices.Contains(strings.Split(exporters, ","), "otlp")
	}
	own := s.OtelEndpoint == "" && env[signalVariable(signal, "ENDPOINT")] != ""
	return own || slices.Contains(s.OtelSignals, signal)
}

// endpoint returns a collector's URL and where it was set. whole means that it includes the signal's path.
func (s *Server) endpoint(env Env, signal string) (source, address string, whole bool) {
	if s.OtelEndpoint != "" {
		return "otel.endpoint", s.OtelEndpoint, false
	}
	if own := signalVariable(signal, "ENDPOINT"); env[own] != "" {
		return own, env[own], true
	}
	return otlpPrefix + "ENDPOINT", env[otlpPrefix+"ENDPOINT"], false
}

func (s *Server) overGRPC(env Env, signal string) (bool, error) {
	switch s.OtelProtocol {
	case otlpGRPC, otlpHTTP:
		return s.OtelProtocol == otlpGRPC, nil
	}
	source, protocol := variable(env, signal, "PROTOCOL")
	switch protocol {
	case otlpGRPC, otlpHTTP, "":
		return protocol == otlpGRPC, nil
	}
	return false, badVariable(source, "must be "+otlpHTTP+" or "+otlpGRPC)
}

// headers parses the headers for every request: name=value pairs separated by commas, with values escaped as in URLs.
func headers(env Env, signal string) (map[string]string, error) {
	source, text := variable(env, signal, "HEADERS")
	list := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, found := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); !found || name == "" || err != nil {
			return nil, badVariable(source, "must be a list such as name=value,name=value, values escaped as in a URL")
		}
		list[name] = value
	}
	return list, nil
}

// variable returns the OTLP variable of a signal, or else the one for all signals.
func variable(env Env, signal, name string) (source, value string) {
	if own := signalVariable(signal, name); env[own] != "" {
		return own, env[own]
	}
	return otlpPrefix + name, env[otlpPrefix+name]
}

func signalVariable(signal, name string) string {
	return otlpPrefix + strings.ToUpper(signal) + "_" + name
}

func badVariable(source, want string) error {
	return fault.Newf(fault.Invalid, "bad_setting", "%s: %s.", source, want).WithField(source).
		WithHint("The configuration reference lists the variables of OpenTelemetry that count.")
}

// CollectorSecrets returns the values of headers sent to collectors, for masking in logs.
func (s *Server) CollectorSecrets(env Env) (secrets []string) {
	for _, signal := range Signals() {
		c, _ := s.Collector(env, signal) // Complete rejects invalid values; then nothing is sent
		for _, value := range c.Headers {
			_, token, _ := strings.Cut(value, " ") // without a scheme such as Bearer
			secrets = append(secrets, value, token)
		}
	}
	return secrets
}

func (s *Server) checkCollectors(env Env) error {
	for _, signal := range s.OtelSignals {
		if !slices.Contains(Signals(), signal) {
			return find("otel.signals").bad("must be of %s, not %q.", strings.Join(Signals(), ", "), signal)
		}
	}
	for _, signal := range Signals() {
		if _, err := s.Collector(env, signal); err != nil {
			return err
		}
	}
	return nil
}
