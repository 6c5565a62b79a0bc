package worktest

import (
	"sync"
	"time"
)

// Clock is a clock that only changes when a test advances it. It is safe for concurrent use.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock returns a clock that shows the given time.
func NewClock(at time.Time) *Clock { return &Clock{at: at} }

// Now returns the time of the clock.
func (c *Clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.at }

// Advance moves the clock forward, or back if d is negative.
func (c *Clock) Advance(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.at = c.at.Add(d) }
