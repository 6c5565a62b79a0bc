package shell_test

import (
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/dashboard"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// Pages are parsed on first use, so starting the server does not reveal a broken one.
func TestEveryPageParses(t *testing.T) {
	t.Parallel()
	if n := shell.ParsePages(dashboard.New(dashboard.Options{Now: time.Now})); n < 20 {
		t.Errorf("the dashboard has %d pages", n)
	}
}
