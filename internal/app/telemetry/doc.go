// Package telemetry is how operators watch the server: logs without secrets, Prometheus metrics, and traces.
//
// Traces go out as OTLP over HTTP in its JSON form, written by hand: the official exporter drags in gRPC and added 6.9 MB
// to a small stripped binary (6.8 MB without it, 13.7 MB with it). Metrics are written by hand too: the text form is a page of code, and the
// official library brings protocol buffers that nobody asks for (59.0 MB with it, 56.6 MB without; decision 33).
//
// In: where to write and send, names of routes and job kinds, errors to report.
// Out: a slog.Logger, metrics with their HTTP handler, spans.
// Never: reads settings or the environment; lets a key, a password or a signed link through; fails a request because a
// collector is away.
package telemetry
