package telemetry

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"

	"go.opentelemetry.io/otel/trace"
)

// LogOptions configures a logger.
type LogOptions struct {
	Format   string // text, json, or auto: text on a terminal, otherwise json
	Level    string // debug, info, warn or error
	Redactor Redactor
}

// NewLogger returns a logger that writes to w, one Write per record, with secrets masked. Records logged with a
// context contain its span.
func NewLogger(w io.Writer, o LogOptions) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(o.Level)); err != nil {
		return nil, fmt.Errorf("parse log level: %w", err)
	}
	options := &slog.HandlerOptions{Level: level}
	out := o.Redactor.Writer(w)
	switch {
	case o.Format == "text", o.Format == "auto" && terminal(w):
		return slog.New(contextHandler{slog.NewTextHandler(out, options)}), nil
	case o.Format == "json", o.Format == "auto":
		return slog.New(contextHandler{slog.NewJSONHandler(out, options)}), nil
	}
	return nil, fmt.Errorf("create logger: unknown format %q", o.Format)
}

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// contextHandler adds the span of its context to each record.
type contextHandler struct{ slog.Handler }

func (h contextHandler) Handle(ctx context.Context, r slog.Record) error {
	if span := trace.SpanContextFromContext(ctx); span.IsValid() {
		r = r.Clone()
		r.AddAttrs(slog.String("trace_id", span.TraceID().String()), slog.String("span_id", span.SpanID().String()))
	}
	return h.Handler.Handle(ctx, r)
}

func (h contextHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return contextHandler{h.Handler.WithAttrs(attrs)}
}

func (h contextHandler) WithGroup(name string) slog.Handler {
	return contextHandler{h.Handler.WithGroup(name)}
}
