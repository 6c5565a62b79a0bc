// Package otlpreceiver is an OpenTelemetry collector for tests: it accepts traces, metrics and logs in OTLP, over HTTP
// and over gRPC, and decodes them with the protocol's own messages.
//
// Inputs: the telemetry of a process under test. Outputs: spans, metrics and log records, and all of them as text.
// Only tests import it.
package otlpreceiver
