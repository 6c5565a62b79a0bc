// Package telemetry provides logs without secrets, Prometheus metrics, and traces, and sends all three to
// OpenTelemetry collectors.
//
// Metrics are recorded with Prometheus' library and sent through OpenTelemetry's bridge, so that there is one way to
// record them. Types of both libraries are used only in this package.
//
// Inputs: where to write and send, names of routes and job kinds, errors to report. Outputs: a slog.Logger, metrics
// with their HTTP handler, spans. It never reads settings, never lets a key, a password or a signed link through, and
// never makes a request wait or fail because a collector is unreachable.
package telemetry
