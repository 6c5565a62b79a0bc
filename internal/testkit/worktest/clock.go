package worktest

import (
	"sync"
	"time"
)

// Clock stands still until a test advances it. It is safe for concurrent use.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock makes a clock that stands at a time.
func NewClock(at time.Time) *Clock { return &Clock{at: at} }

// Now returns where it stands.
func (c *Clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.at }

// Advance lets it go on, or back.
func (c *Clock) Advance(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.at = c.at.Add(d) }
