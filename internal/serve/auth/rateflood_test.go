package auth_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/auth"
)

// A flood of new callers, more than are counted at once, does not free a caller that has reached its limit.
func TestFloodOfCallersDoesNotResetCount(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	l := auth.NewHourly(4, "A caller", nil, func() time.Time { return now })
	for range 5 {
		_ = l.Take(t.Context(), "greedy", http.Header{}) // the fifth is refused
	}
	for i := range 250_000 {
		if err := l.Take(t.Context(), fmt.Sprint("caller ", i), http.Header{}); err != nil {
			t.Fatalf("caller %d: %v", i, err)
		}
	}
	if err := l.Take(t.Context(), "greedy", http.Header{}); !fault.HasCode(err, "rate_limited") {
		t.Errorf("the caller that had used its limit got %v", err)
	}
}
