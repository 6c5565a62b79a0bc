package telemetry

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/contrib/bridges/otelslog"
	"go.opentelemetry.io/contrib/bridges/prometheus"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// flushTimeout is the maximum time that the shutdown waits for collectors.
const flushTimeout = 5 * time.Second

// ExportOptions configures which signals are sent to collectors by OTLP.
type ExportOptions struct {
	Traces, Metrics, Logs Collector
	Version               string       // of this program
	Instance              string       // distinguishes the processes of one installation
	Registry              *Metrics     // source of metrics
	Redactor              Redactor     // masks secrets in spans and logs
	Log                   *slog.Logger // the local log; also records failures to send, which are not sent
}

// Export sends traces, metrics and logs to collectors, in the background and in batches. Data that a collector does
// not accept is dropped: no request waits for it, and Close waits only briefly. It is safe for concurrent use.
type Export struct {
	Tracing *Tracing
	Log     *slog.Logger // writes to the local log and, if enabled, to the collector for logs

	local    *slog.Logger
	patience time.Duration
	stop     []func(context.Context) error // each function flushes and stops an exporter
}

// OpenExport starts sending each signal that has a collector. Without any, it makes no connections, and spans cost
// nothing. The OpenTelemetry SDK also reads its own variables for certificates, timeouts, batches, sampling and
// resource attributes.
func OpenExport(ctx context.Context, o ExportOptions) (*Export, error) {
	e := &Export{Tracing: newTracing(nil, o.Redactor), Log: o.Log, local: o.Log, patience: flushTimeout}
	if o.Traces.URL == "" && o.Metrics.URL == "" && o.Logs.URL == "" {
		return e, nil
	}
	reportTo(o.Log)
	about := describe(ctx, o)
	for _, open := range []func(context.Context, ExportOptions, *resource.Resource) error{
		e.openTraces, e.openMetrics, e.openLogs,
	} {
		if err := open(ctx, o, about); err != nil {
			e.Close()
			return nil, err
		}
	}
	return e, nil
}

// reportTo logs the SDK's own messages, such as failures to send. Otherwise the SDK would print them unformatted and
// without masking secrets.
func reportTo(log *slog.Logger) {
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		log.Warn("failed to send telemetry", "error", err)
	}))
	otel.SetLogger(logr.FromSlogHandler(log.Handler()))
}

// describe returns the resource attributes of every signal. The standard variables override them.
func describe(ctx context.Context, o ExportOptions) *resource.Resource {
	about, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithAttributes(
		attribute.String("service.name", "lectern"), attribute.String("service.version", o.Version),
		attribute.String("service.instance.id", o.Instance)), resource.WithFromEnv())
	if err != nil { // about contains the other attributes
		o.Log.Warn("failed to read OpenTelemetry resource attributes", "error", err)
	}
	return about
}

func (e *Export) openTraces(ctx context.Context, o ExportOptions, about *resource.Resource) error {
	if o.Traces.URL == "" {
		return nil
	}
	exporter, err := o.Traces.spans(ctx)
	if err != nil {
		return fmt.Errorf("open trace exporter: %w", err)
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
	e.Tracing = newTracing(provider, o.Redactor)
	e.stop = append(e.stop, provider.Shutdown)
	return nil
}

func (e *Export) openMetrics(ctx context.Context, o ExportOptions, about *resource.Resource) error {
	if o.Metrics.URL == "" {
		return nil
	}
	exporter, err := o.Metrics.metrics(ctx)
	if err != nil {
		return fmt.Errorf("open metric exporter: %w", err)
	}
	registry := prometheus.NewMetricProducer(prometheus.WithGatherer(o.Registry.gatherer(o.Log)))
	reader := sdkmetric.NewPeriodicReader(exporter, sdkmetric.WithProducer(registry))
	provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader), sdkmetric.WithResource(about))
	e.stop = append(e.stop, provider.Shutdown)
	return nil
}

func (e *Export) openLogs(ctx context.Context, o ExportOptions, about *resource.Resource) error {
	if o.Logs.URL == "" {
		return nil
	}
	exporter, err := o.Logs.logs(ctx)
	if err != nil {
		return fmt.Errorf("open log exporter: %w", err)
	}
	provider := sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewBatchProcessor(exporter)),
		sdklog.WithResource(about))
	bridge := otelslog.NewHandler("lectern", otelslog.WithLoggerProvider(provider))
	e.Log = slog.New(slog.NewMultiHandler(o.Log.Handler(),
		exportHandler{Handler: bridge, local: o.Log.Handler(), redactor: o.Redactor}))
	e.stop = append(e.stop, provider.Shutdown)
	return nil
}

// Close flushes and stops all exports. It gives up after five seconds. Later spans are dropped, and later log records
// go only to the local log.
func (e *Export) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), e.patience)
	defer cancel()
	stopped := make(chan error, len(e.stop))
	for _, stop := range e.stop {
		go func() { stopped <- stop(ctx) }()
	}
	for range e.stop {
		select {
		case err := <-stopped:
			if err != nil {
				e.local.Warn("failed to send the last telemetry", "error", err)
			}
		case <-ctx.Done():
			e.local.Warn("collector took too long at shutdown, dropped the last telemetry", "waited", e.patience)
			return
		}
	}
}
