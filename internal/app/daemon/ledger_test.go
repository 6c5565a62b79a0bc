package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestQueueLogOmitsShutdownErrors(t *testing.T) {
	var out strings.Builder
	l := quiet(slog.New(slog.NewTextHandler(&out, nil))).With("part", "queue")
	stopped := fmt.Errorf("begin: %w", context.Canceled)
	l.Info("everyday")
	l.Error("start transaction", "error", stopped)
	l.Error("start transaction", "error", stopped.Error())
	l.Error("start transaction: " + stopped.Error())
	if out.Len() > 0 {
		t.Errorf("logged: %s", out.String())
	}
	l.Error("start transaction", "error", errors.New("connection refused"), "job", 1)
	l.Warn("slow")
	if n := strings.Count(out.String(), "\n"); n != 2 {
		t.Errorf("logged %d lines: %s", n, out.String())
	}
}
