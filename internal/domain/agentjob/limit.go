package agentjob

import (
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Limits limits one round of a job. Zero fields take their defaults.
type Limits struct {
	Steps   int           // responses of the model
	Tokens  int64         // read and written
	Time    time.Duration // since the round's start, without the time spent waiting for a worker
	Files   int           // changed files
	Bytes   int64         // of all changed files together
	Repairs int           // how often failed checks are sent back to the model
}

// OrDefault sets defaults for zero fields.
func (l Limits) OrDefault() Limits {
	set := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	set(&l.Steps, 80)
	set(&l.Files, 200)
	set(&l.Repairs, 3)
	if l.Tokens == 0 {
		l.Tokens = 4_000_000
	}
	if l.Time == 0 {
		l.Time = 30 * time.Minute
	}
	if l.Bytes == 0 {
		l.Bytes = 8 << 20
	}
	return l
}

// HourlyPrompts limits how many jobs and messages a project may start in an hour.
const HourlyPrompts = 100

// TooManyPrompts returns the fault for a project that has reached its hourly limit; wait is the time until the next
// prompt is accepted.
func TooManyPrompts(wait time.Duration) error {
	return fault.Newf(fault.RateLimited, "agent_rate_limit",
		"The project has reached its limit of %d agent jobs and messages per hour.", HourlyPrompts).
		WithRetryAfter(max(time.Second, min(wait, time.Hour)))
}
