package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// Collector is the destination of one signal sent by OTLP. Zero means that it is not sent.
type Collector struct {
	URL     string            // http or https; for HTTP including the signal's path; without a password
	GRPC    bool              // gRPC; otherwise HTTP with protocol buffers
	Headers map[string]string // sent with each request; the values are secrets
}

// Exporters connect only when they have something to send.

func (c Collector) spans(ctx context.Context) (sdktrace.SpanExporter, error) {
	if c.GRPC {
		return otlptracegrpc.New(ctx, otlptracegrpc.WithEndpointURL(c.URL), otlptracegrpc.WithHeaders(c.Headers))
	}
	return otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(c.URL), otlptracehttp.WithHeaders(c.Headers))
}

func (c Collector) metrics(ctx context.Context) (sdkmetric.Exporter, error) {
	if c.GRPC {
		return otlpmetricgrpc.New(ctx, otlpmetricgrpc.WithEndpointURL(c.URL), otlpmetricgrpc.WithHeaders(c.Headers))
	}
	return otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(c.URL), otlpmetrichttp.WithHeaders(c.Headers))
}

func (c Collector) logs(ctx context.Context) (sdklog.Exporter, error) {
	if c.GRPC {
		return otlploggrpc.New(ctx, otlploggrpc.WithEndpointURL(c.URL), otlploggrpc.WithHeaders(c.Headers))
	}
	return otlploghttp.New(ctx, otlploghttp.WithEndpointURL(c.URL), otlploghttp.WithHeaders(c.Headers))
}
