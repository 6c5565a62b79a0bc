package attempts

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// Limit counts failures by key, across all processes, and requires a pause after too many.
type Limit struct {
	Kind   string // what is counted
	Most   int
	Window time.Duration // starts with the first failure
	Counts Counts
	Log    *slog.Logger
}

// Counts is the part of the store used by limits.
type Counts interface {
	CountUp(ctx context.Context, kind, key string, n int, window time.Duration) (store.Count, error)
	FindCount(ctx context.Context, kind, key string) (store.Count, error)
	CountDown(ctx context.Context, kind, key string) error
	CountAnew(ctx context.Context, kind, key string) error
}

// Take counts a failure in advance, so that concurrent attempts cannot exceed the limit, and returns nil. If the
// limit is reached, it counts nothing and returns an error that says how long to wait. After a success, call GiveBack
// or Forget.
func (l *Limit) Take(ctx context.Context, key string) error { return l.TakeUpTo(ctx, key, l.Most) }

// TakeUpTo is like Take with another limit.
func (l *Limit) TakeUpTo(ctx context.Context, key string, most int) error {
	c, err := l.Counts.FindCount(ctx, l.Kind, key)
	if err == nil && c.N < most { // attempts beyond the limit cause no database writes
		c, err = l.Counts.CountUp(ctx, l.Kind, key, 1, l.Window)
		if err == nil && c.N <= most {
			return nil
		}
		if err == nil {
			l.GiveBack(ctx, key)
		}
	}
	if err != nil {
		return err
	}
	return tooMany(max(time.Second, c.Left))
}

// Add counts a failure without checking the limit and returns the number of failures.
func (l *Limit) Add(ctx context.Context, key string) (int, error) {
	c, err := l.Counts.CountUp(ctx, l.Kind, key, 1, l.Window)
	return c.N, err
}

// GiveBack undoes the count of an attempt that did not fail. It only logs errors: an attempt that stays counted until
// the window ends does no harm.
func (l *Limit) GiveBack(ctx context.Context, key string) {
	if err := l.Counts.CountDown(context.WithoutCancel(ctx), l.Kind, key); err != nil {
		l.Log.WarnContext(ctx, "failed to decrement attempt counter", "error", err)
	}
}

// Forget resets the count of a key.
func (l *Limit) Forget(ctx context.Context, key string) {
	if err := l.Counts.CountAnew(context.WithoutCancel(ctx), l.Kind, key); err != nil {
		l.Log.WarnContext(ctx, "failed to reset count of failed sign-in attempts", "error", err)
	}
}

// Place returns the key under which attempts from an address are counted. IPv6 addresses are counted by /64, because
// whoever has one address usually has the whole network.
func Place(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil || !a.Is6() {
		return address
	}
	p, err := a.Prefix(64)
	if err != nil {
		return address
	}
	return p.String()
}

// Network returns the part of an address that may be logged.
func Network(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return ""
	}
	return audience.Network(a)
}

func tooMany(wait time.Duration) error {
	minutes := int((wait + time.Minute - 1) / time.Minute)
	unit := "minutes"
	if minutes == 1 {
		unit = "minute"
	}
	return fault.New(fault.RateLimited, "too_many_attempts", "Too many failed attempts.").
		WithHint(fmt.Sprintf("Try again in %d %s.", minutes, unit)).WithRetryAfter(wait)
}
