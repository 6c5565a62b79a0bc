package certificate

import (
	"context"
	"log/slog"

	"go.uber.org/zap/zapcore"
)

// logCore forwards messages from certmagic, which logs with zap, to the server's log.
type logCore struct{ logger *slog.Logger }

var _ zapcore.Core = logCore{}

// Enabled implements zapcore.Core.
func (c logCore) Enabled(l zapcore.Level) bool {
	return c.logger.Enabled(context.Background(), slogLevel(l))
}

// With implements zapcore.Core.
func (c logCore) With(fields []zapcore.Field) zapcore.Core {
	return logCore{c.logger.With(arguments(fields)...)}
}

// Check implements zapcore.Core.
func (c logCore) Check(e zapcore.Entry, checked *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(e.Level) {
		return checked.AddCore(e, c)
	}
	return checked
}

// Write implements zapcore.Core.
func (c logCore) Write(e zapcore.Entry, fields []zapcore.Field) error {
	c.logger.Log(context.Background(), slogLevel(e.Level), "certificates: "+e.Message, arguments(fields)...)
	return nil
}

// Sync implements zapcore.Core. The log is not buffered.
func (c logCore) Sync() error { return nil }

// slogLevel lowers the library's info messages to debug, because the library reports every step of each order. The
// manager logs the results itself.
func slogLevel(l zapcore.Level) slog.Level {
	if l >= zapcore.WarnLevel {
		return slog.LevelWarn // even for errors: the server continues
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
