package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Level says how bad something is.
type Level string

// The levels.
const (
	OK   Level = "ok"
	Warn Level = "warn" // works, but not as it should
	Fail Level = "fail" // does not work
)

// Finding is what was found out about one thing.
type Finding struct {
	Check string `json:"check"` // what was looked at, a word or two
	Level Level  `json:"level"`
	Text  string `json:"text"`         // a sentence
	Do    string `json:"do,omitempty"` // what to do about it; "" where all is well
}

// Check looks at one thing. It answers in time whatever it looks at does: ctx ends.
type Check struct {
	Name string
	Run  func(ctx context.Context) []Finding
	Long bool // ctx has no limit: the check has its own, or takes longer the more is stored
}

// Patience is how long one check may take that is not long.
const Patience = 20 * time.Second

// Run runs the checks one after the other and reports each finding at once.
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

// FromError turns an error into a finding: a fault says itself what to do.
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
