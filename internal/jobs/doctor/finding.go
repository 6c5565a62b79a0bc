package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Level is the severity of a finding.
type Level string

// The levels.
const (
	OK   Level = "ok"
	Warn Level = "warn" // works, but not as it should
	Fail Level = "fail" // does not work
)

// Finding is the result of one check.
type Finding struct {
	Check string `json:"check"` // subject of the check, a word or two
	Level Level  `json:"level"`
	Text  string `json:"text"`         // a sentence
	Do    string `json:"do,omitempty"` // recommended action; "" if no action is needed
}

// Check examines one subject. It returns soon after ctx ends, whatever it examines.
type Check struct {
	Name string
	Run  func(ctx context.Context) []Finding
	Long bool // runs without our time limit: it has its own, or takes longer the more data is stored
}

// Patience is the time limit of a check that is not Long.
const Patience = 20 * time.Second

// Run runs the checks sequentially and reports each finding immediately.
func Run(ctx context.Context, checks []Check, tell func(Finding)) (failed bool) {
	for _, c := range checks {
		limit, cancel := ctx, context.CancelFunc(func() {})
		if !c.Long {
			limit, cancel = context.WithTimeout(ctx, Patience)
		}
		found := c.Run(limit)
		cancel()
		for _, f := range found {
			f.Check = c.Name
			failed = failed || f.Level == Fail
			tell(f)
		}
	}
	return failed
}

func fine(format string, args ...any) Finding {
	return Finding{Level: OK, Text: fmt.Sprintf(format, args...)}
}

func warning(do, format string, args ...any) Finding {
	return Finding{Level: Warn, Text: fmt.Sprintf(format, args...), Do: do}
}

func failure(do, format string, args ...any) Finding {
	return Finding{Level: Fail, Text: fmt.Sprintf(format, args...), Do: do}
}

// FromError converts an error to a finding. A fault's own hint replaces do.
func FromError(err error, do, format string, args ...any) Finding {
	text := fmt.Sprintf(format, args...)
	if f, ok := fault.As(err); ok {
		if f.Hint != "" {
			do = f.Hint
		}
		return Finding{Level: Fail, Text: f.Public, Do: do}
	}
	return Finding{Level: Fail, Text: text + ": " + err.Error(), Do: do}
}
