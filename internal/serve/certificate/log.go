package certificate

import (
	"context"
	"log/slog"

	"go.uber.org/zap/zapcore"
)

// logCore passes messages of certmagic, which logs with zap, to the server's log.
type logCore struct{ logger *slog.Logger }

var _ zapcore.Core = logCore{}

// Enabled reports whether the log keeps messages of a level.
func (c logCore) Enabled(l zapcore.Level) bool {
	return c.logger.Enabled(context.Background(), slogLevel(l))
}

// With returns a core that adds fields to each message.
func (c logCore) With(fields []zapcore.Field) zapcore.Core {
	return logCore{c.logger.With(arguments(fields)...)}
}

// Check adds the core to an entry that is to be logged.
func (c logCore) Check(e zapcore.Entry, checked *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(e.Level) {
		return checked.AddCore(e, c)
	}
	return checked
}

// Write logs a message.
func (c logCore) Write(e zapcore.Entry, fields []zapcore.Field) error {
	c.logger.Log(context.Background(), slogLevel(e.Level), "certificates: "+e.Message, arguments(fields)...)
	return nil
}

// Sync does nothing: the log is not buffered.
func (c logCore) Sync() error { return nil }

// slogLevel reduces the library's normal progress to debug messages: it reports every step of each order. What a server
// did is logged by the manager.
func slogLevel(l zapcore.Level) slog.Level {
	if l >= zapcore.WarnLevel {
		return slog.LevelWarn // also of errors: the server goes on
	}
	return slog.LevelDebug
}

func arguments(fields []zapcore.Field) []any {
	encoder := zapcore.NewMapObjectEncoder()
	for _, f := range fields {
		f.AddTo(encoder)
	}
	var args []any
	for _, f := range fields {
		if v, ok := encoder.Fields[f.Key]; ok {
			args = append(args, f.Key, v)
		}
	}
	return args
}
