package testserver_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/testserver"
)

func TestMissingProgramErrorExplainsInstallation(t *testing.T) {
	t.Setenv("LECTERN_CACHE", t.TempDir())
	_, err := testserver.Installed("bin/none")
	if err == nil || !strings.Contains(err.Error(), "run tools/install-testservers") {
		t.Errorf("Installed = %v", err)
	}
}

func TestStartTriesAnotherPortIfTaken(t *testing.T) {
	for _, c := range []struct {
		fails error
		want  int // calls
		ok    bool
	}{
		{nil, 1, true}, {errors.New("Address already in use"), 2, true}, {errors.New("no such folder"), 1, false},
	} {
		calls := 0
		got, err := testserver.Start(t.Context(), "it", time.Minute, func(_ context.Context, port int) (int, error) {
			if calls++; calls == 1 && c.fails != nil {
				return 0, c.fails
			}
			return port, nil
		})
		if calls != c.want || (err == nil) != c.ok || (got > 0) != c.ok {
			t.Errorf("%v: %d calls, port %d, %v", c.fails, calls, got, err)
		}
	}
}
