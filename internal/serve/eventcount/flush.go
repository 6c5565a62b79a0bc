package eventcount

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/lectern-docs/lectern/internal/domain/audience"
)

// Flush stores the counts so far. Failures are retried by the next call; after too many, the counts are dropped.
func (c *Counter) Flush(ctx context.Context) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	err := c.writeAll(ctx)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return errors.Join(err, c.renewSalt(ctx)) // after the write: pending counts may be from yesterday
}

// writeAll stores the counts left over from a failed write, then the new ones. The caller holds writing.
func (c *Counter) writeAll(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := c.write(ctx); err != nil {
		return err
	}
	c.mu.Lock()
	c.rest = c.batch
	c.batch = audience.NewBatch(c.Keys, c.known)
	c.mu.Unlock()
	return c.write(ctx)
}

// write stores the counts in rest, if any. The caller holds writing.
func (c *Counter) write(ctx context.Context) error {
	b := c.rest
	if b == nil || b.Events == 0 {
		c.rest = nil
		return nil
	}
	if err := c.Store.AddAudience(ctx, b); err != nil {
		if c.fails++; c.fails >= maxFails {
			c.rest, c.fails = nil, 0
			c.Count(Dropped, b.Events)
			return fmt.Errorf("drop counts of %d events: %w", b.Events, err)
		}
		return err
	}
	c.rest, c.fails = nil, 0
	c.Count(Stored, b.Events)
	c.remember(b)
	return nil
}

// remember records which of today's visitors are already stored.
func (c *Counter) remember(b *audience.Batch) {
	today := audience.DayOf(c.Now())
	c.mu.Lock()
	defer c.mu.Unlock()
	for at, s := range b.Places {
		if at.Day != today || c.day != today {
			continue
		}
		if len(c.known)+len(s.Marks) > maxKnown {
			clear(c.known)
		}
		for m := range s.Marks {
			c.known[m] = true
		}
	}
}

// renewSalt loads today's salt if necessary.
func (c *Counter) renewSalt(ctx context.Context) error {
	today := audience.DayOf(c.Now())
	c.mu.Lock()
	has := c.salt != nil && c.day == today
	c.mu.Unlock()
	if has {
		return nil
	}
	fresh := make([]byte, audience.SaltSize)
	if _, err := io.ReadFull(c.Rand, fresh); err != nil {
		return fmt.Errorf("create salt: %w", err)
	}
	salt, err := c.Store.FindSalt(ctx, today, fresh)
	if err != nil {
		return fmt.Errorf("find salt: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.day, c.salt = today, salt
	clear(c.known)
	return nil
}
