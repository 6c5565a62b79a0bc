// Package telemetry provides logs without secrets, Prometheus metrics, and traces.
//
// Traces are exported as OTLP over HTTP with JSON, written by hand: the official exporter pulls in gRPC and added
// 6.9 MB to a small stripped binary (6.8 MB without it, 13.7 MB with it). Metrics are written by hand too: the text
// format is a page of code, and the official library brings protocol buffers that we do not need (59.0 MB with it,
// 56.6 MB without; decision 33).
//
// Inputs: where to write and send, names of routes and job kinds, errors to report.
// Outputs: a slog.Logger, metrics with their HTTP handler, spans.
// It never reads settings or the environment, never lets a key, a password or a signed link through, and never fails
// a request because a collector is unreachable.
package telemetry
