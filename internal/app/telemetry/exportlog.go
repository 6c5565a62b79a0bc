package telemetry

import (
	"context"
	"fmt"
	"log/slog"
)

// exportHandler passes records to a collector, with secrets masked and at the levels of the local log (K9).
type exportHandler struct {
	slog.Handler // sends records
	local        slog.Handler
	redactor     Redactor
}

func (h exportHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.local.Enabled(ctx, level)
}

func (h exportHandler) Handle(ctx context.Context, r slog.Record) error {
	out := slog.NewRecord(r.Time, r.Level, h.redactor.Redact(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		out.AddAttrs(h.redactor.attr(a))
		return true
	})
	return h.Handler.Handle(ctx, out)
}

func (h exportHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.Handler = h.Handler.WithAttrs(h.redactor.attrs(attrs))
	return h
}

func (h exportHandler) WithGroup(name string) slog.Handler {
	h.Handler = h.Handler.WithGroup(h.redactor.Redact(name))
	return h
}

func (r Redactor) attrs(list []slog.Attr) []slog.Attr {
	out := make([]slog.Attr, len(list))
	for i, a := range list {
		out[i] = r.attr(a)
	}
	return out
}

// attr masks key and value. Just like in the local text log, any value other than a number, a time or a boolean is
// first converted to text. If its fields were exported separately, secrets in it would no longer be recognized by their
// shape.
func (r Redactor) attr(a slog.Attr) slog.Attr {
	if a.Equal(slog.Attr{}) { // handlers ignore empty attributes
		return a
	}
	a.Key, a.Value = r.Redact(a.Key), a.Value.Resolve()
	switch a.Value.Kind() {
	case slog.KindGroup:
		a.Value = slog.GroupValue(r.attrs(a.Value.Group())...)
	case slog.KindString:
		a.Value = slog.StringValue(r.Redact(a.Value.String()))
	case slog.KindAny:
		text := fmt.Sprintf("%+v", a.Value.Any())
		if raw, ok := a.Value.Any().([]byte); ok {
			text = string(raw)
		}
		a.Value = slog.StringValue(r.Redact(text))
	}
	return a
}
