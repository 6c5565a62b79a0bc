package telemetry

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Tracing creates spans. It is safe for concurrent use.
type Tracing struct {
	tracer   trace.Tracer
	context  propagation.TraceContext
	redactor Redactor
	off      bool // spans are discarded
}

// newTracing creates spans with the provider. If it is nil, spans are discarded at no cost.
func newTracing(provider trace.TracerProvider, r Redactor) *Tracing {
	off := provider == nil
	if off {
		provider = noop.NewTracerProvider()
	}
	return &Tracing{tracer: provider.Tracer("lectern"), redactor: r, off: off}
}

// Start starts a child span of the one in ctx. Call the returned function once, with the error of the work or nil.
func (t *Tracing) Start(ctx context.Context, name string, attrs ...slog.Attr) (context.Context, func(error)) {
	return t.start(ctx, name, trace.SpanKindInternal, attrs)
}

func (t *Tracing) start(ctx context.Context, name string, kind trace.SpanKind, attrs []slog.Attr) (context.Context,
	func(error)) {
	ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(kind))
	if !span.IsRecording() {
		return ctx, func(error) { span.End() }
	}
	span.SetAttributes(t.attributes(attrs)...)
	return ctx, func(err error) {
		if err != nil {
			span.SetStatus(codes.Error, t.redactor.Redact(err.Error()))
		}
		span.End()
	}
}

func (t *Tracing) attributes(attrs []slog.Attr) []attribute.KeyValue {
	list := make([]attribute.KeyValue, 0, len(attrs))
	for _, a := range attrs {
		switch v := a.Value.Resolve(); v.Kind() {
		case slog.KindInt64:
			list = append(list, attribute.Int64(a.Key, v.Int64()))
		case slog.KindBool:
			list = append(list, attribute.Bool(a.Key, v.Bool()))
		case slog.KindFloat64:
			list = append(list, attribute.Float64(a.Key, v.Float64()))
		case slog.KindTime:
			list = append(list, attribute.String(a.Key, v.Time().UTC().Format(time.RFC3339Nano)))
		default:
			list = append(list, attribute.String(a.Key, t.redactor.Redact(v.String())))
		}
	}
	return list
}

// Instrument creates a span for each request handled by next, as a child of the caller's span if the headers contain
// one. It records only the route's name and the status, no part of the request: URLs and bodies may contain secrets.
func (t *Tracing) Instrument(route string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if t.off && r.Header["Traceparent"] == nil { // with the header, the log contains the caller's trace
			next.ServeHTTP(w, r)
			return
		}
		ctx := t.context.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, end := t.start(ctx, route, trace.SpanKindServer, []slog.Attr{
			slog.String("http.route", route), slog.String("http.request.method", method(r.Method)),
		})
		rec := &recorder{ResponseWriter: w}
		defer func() {
			status := rec.Status()
			trace.SpanFromContext(ctx).SetAttributes(attribute.Int("http.response.status_code", status))
			if status < 500 {
				end(nil)
				return
			}
			end(statusError(status))
		}()
		rec.serve(next, r.WithContext(ctx))
	})
}

// statusError is the error of a request with a 5xx response.
type statusError int

func (e statusError) Error() string { return "status " + strconv.Itoa(int(e)) }
