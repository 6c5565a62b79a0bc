package signin

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

const (
	tryWindow = 15 * time.Minute

	triesByPlace   = 30 // wrong passwords from one network
	triesByPair    = 10 // wrong passwords for one account from one network
	triesAttacked  = 3  // likewise, while the account is attacked from many networks
	triesByDevice  = 10 // wrong passwords, and as many wrong codes, from a browser in which the person signed in before
	triesBySession = 10 // wrong passwords inside a session
	triesByPerson  = 10 // wrong codes for one person from unknown browsers
	triesByHalf    = 5  // wrong codes after one password

	slowFrom     = 20 // failures for one account from everywhere: unknown browsers wait from here on
	attackedFrom = 50 // and networks have fewer attempts from here on
	slowStep     = 10 // failures for each second that they wait longer
	longestWait  = 8 * time.Second
)

// limit counts failures under a key, over all processes: after so many there is a pause.
type limit struct {
	kind   string // what is counted
	most   int
	window time.Duration // from the first failure
	counts counts
	log    *slog.Logger
}

// counts is what limits need of the store.
type counts interface {
	CountUp(ctx context.Context, kind, key string, n int, window time.Duration) (store.Count, error)
	FindCount(ctx context.Context, kind, key string) (store.Count, error)
	CountDown(ctx context.Context, kind, key string) error
	CountAnew(ctx context.Context, kind, key string) error
}

// take counts a failure in advance, so that many attempts at once are no way around the limit, and returns nil; or it
// says how long to wait and counts nothing. What turns out well is given back or forgotten.
func (l *limit) take(ctx context.Context, key string) error { return l.takeUpTo(ctx, key, l.most) }

// takeUpTo is take with another limit.
func (l *limit) takeUpTo(ctx context.Context, key string, most int) error {
	c, err := l.counts.FindCount(ctx, l.kind, key)
	if err == nil && c.N < most { // attempts beyond the limit cause no database writes
		c, err = l.counts.CountUp(ctx, l.kind, key, 1, l.window)
		if err == nil && c.N <= most {
			return nil
		}
		if err == nil {
			l.giveBack(ctx, key)
		}
	}
	if err != nil {
		return err
	}
	return tooMany(max(time.Second, c.Left))
}

// add counts a failure without a limit and returns how many there are.
func (l *limit) add(ctx context.Context, key string) (int, error) {
	c, err := l.counts.CountUp(ctx, l.kind, key, 1, l.window)
	return c.N, err
}

// giveBack uncounts an attempt that did not fail. An error is only logged: an attempt that stays counted until the
// window ends does no harm.
func (l *limit) giveBack(ctx context.Context, key string) {
	if err := l.counts.CountDown(context.WithoutCancel(ctx), l.kind, key); err != nil {
		l.log.WarnContext(ctx, "release sign-in attempt failed", "error", err)
	}
}

func (l *limit) forget(ctx context.Context, key string) {
	if err := l.counts.CountAnew(context.WithoutCancel(ctx), l.kind, key); err != nil {
		l.log.WarnContext(ctx, "reset failed sign-in attempts failed", "error", err)
	}
}

// place returns the key under which an address is counted: the owner of one IPv6 address has the 2^64 beside it too.
func place(address string) string {
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

// network returns the part of an address that may stand in a log.
func network(address string) string {
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
