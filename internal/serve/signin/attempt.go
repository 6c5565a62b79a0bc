package signin

import (
	"context"
	"fmt"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/attempts"
)

// counted is an attempt at a password or a code, counted as a failure in advance.
type counted struct {
	ctx    context.Context
	failed []func() // undo the counted failures
	passed []func() // run after a success, to reset counters
}

// take counts the attempt under a limit. If the limit is reached, it undoes the earlier counts.
func (c *counted) take(l *attempts.Limit, key string, most int) error {
	if err := l.TakeUpTo(c.ctx, key, most); err != nil {
		c.giveBack()
		return err
	}
	c.failed = append(c.failed, func() { l.GiveBack(c.ctx, key) })
	return nil
}

// giveBack undoes the counts of an attempt that was not completed.
func (c *counted) giveBack() {
	for _, undo := range c.failed {
		undo()
	}
	c.failed = nil
}

// succeed must be called after a successful attempt.
func (c *counted) succeed() {
	c.giveBack()
	for _, forget := range c.passed {
		forget()
	}
}

// countPassword counts an attempt at an account's password, whether or not the account exists. Other people's attempts
// at the same account may slow this attempt down or lower its limit, but never block it: otherwise anyone who knows an
// address could lock its owner out. email is "" for malformed addresses, and p is the zero person for an address
// without an account.
func (d *Service) countPassword(ctx context.Context, email string, p account.Person, b Browser) (*counted, error) {
	c := &counted{ctx: ctx}
	if serial, known := d.knownDevice(b, p); known {
		c.passed = append(c.passed, func() { d.devices.Forget(ctx, serial) })
		return c, c.take(d.devices, serial, triesByDevice)
	}
	from := attempts.Place(b.Address)
	if err := c.take(d.places, from, triesByPlace); err != nil || email == "" {
		return c, err
	}
	all, err := d.accounts.Add(ctx, email)
	if err != nil {
		c.giveBack()
		return c, err
	}
	c.failed = append(c.failed, func() { d.accounts.GiveBack(ctx, email) })
	most := triesByPair
	if all > attackedFrom {
		most = triesAttacked
	}
	if err := c.take(d.pairs, pair(email, from), most); err != nil {
		return c, err
	}
	c.passed = append(c.passed, func() { d.pairs.Forget(ctx, pair(email, from)) })
	if err := d.Wait(ctx, slowDown(all)); err != nil {
		c.giveBack()
		return c, fmt.Errorf("wait before checking a password: %w", err)
	}
	return c, nil
}

// countCode counts an attempt at the second factor after a correct password. Six-digit codes can be guessed, so they
// require a limit per person. Attempts in a browser used for an earlier sign-in, and attempts with recovery codes,
// which cannot be guessed, are counted separately, so that the person is never locked out.
func (d *Service) countCode(ctx context.Context, p account.Person, recovery bool, b Browser) (*counted, error) {
	c := &counted{ctx: ctx}
	l, key, most := d.codes, p.ID, triesByPerson
	if serial, known := d.knownDevice(b, p); known {
		// Separate from passwords, so that a correct password does not reset the count of wrong codes.
		l, key, most = d.deviceCodes, serial, triesByDevice
	} else if recovery {
		l, key, most = d.pairs, pair(p.ID, attempts.Place(b.Address)), triesByPair
	}
	c.passed = append(c.passed, func() { l.Forget(ctx, key) })
	return c, c.take(l, key, most)
}

func pair(who, from string) string { return who + "\x00" + from }

// slowDown returns how long an unknown browser must wait, given the total number of failures for the account.
func slowDown(failures int) time.Duration {
	if failures <= slowFrom {
		return 0
	}
	return min(longestWait, time.Duration(1+(failures-slowFrom-1)/slowStep)*time.Second)
}
