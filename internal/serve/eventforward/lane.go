package eventforward

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
)

// lane is the queue for one tool of one site. It is guarded by the forwarder's mu.
type lane struct {
	site    Site
	tool    deploy.Integration
	waiting []audience.Event
	busy    bool      // a send is in progress
	fails   int       // consecutive failures
	until   time.Time // after failures: when to call the tool again
}

const (
	maxLanes   = 1_000
	maxWaiting = 1_000 // events per lane
	maxSending = 32    // lanes that may send concurrently
	firstRest  = 30 * time.Second
	longRest   = 10 * time.Minute
)

// hand adds events to a lane and starts sending unless the lane is already sending. It drops events that exceed the
// lane's limit, and events for a tool that failed recently.
func (f *Forwarder) hand(ctx context.Context, key string, s Site, tool deploy.Integration, events []audience.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.lane(key)
	room := maxWaiting - len(l.waiting)
	if f.Now().Before(l.until) {
		room = 0
	}
	n := min(room, len(events))
	if n < len(events) {
		f.Count(Dropped, len(events)-n)
	}
	l.site, l.tool, l.waiting = s, tool, append(l.waiting, events[:n]...)
	if n > 0 && !l.busy {
		l.busy = true
		f.wait.Go(func() { f.drain(ctx, l) })
	}
}

// lane returns a lane, creating it if needed. If there are too many, it removes idle ones.
func (f *Forwarder) lane(key string) *lane {
	l := f.lanes[key]
	if l != nil {
		return l
	}
	if len(f.lanes) >= maxLanes {
		for k, old := range f.lanes {
			if !old.busy && !f.Now().Before(old.until) {
				delete(f.lanes, k)
			}
		}
	}
	l = &lane{}
	f.lanes[key] = l
	return l
}

// drain sends a lane's events until it is empty. After each failure the tool is paused for longer.
func (f *Forwarder) drain(ctx context.Context, l *lane) {
	for {
		f.mu.Lock()
		n := min(len(l.waiting), maxBatch)
		if n == 0 {
			l.busy, l.waiting = false, nil
			f.mu.Unlock()
			return
		}
		s, tool, events := l.site, l.tool, l.waiting[:n]
		l.waiting = l.waiting[n:]
		f.mu.Unlock()
		err := f.deliver(ctx, s, tool, events)
		f.mu.Lock()
		if l.fails = l.fails + 1; err == nil {
			l.fails = 0
		} else {
			l.until = f.Now().Add(min(firstRest<<min(l.fails-1, 10), longRest))
			if lost := len(l.waiting); lost > 0 {
				f.Count(Dropped, lost)
			}
			l.waiting = nil
		}
		f.mu.Unlock()
	}
}

// deliver sends events to one tool. Events that the tool still rejects after a few attempts are dropped.
func (f *Forwarder) deliver(ctx context.Context, s Site, tool deploy.Integration, events []audience.Event) error {
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	case <-ctx.Done():
	}
	requests, err := f.requests(s, tool, events)
	for i := 0; err == nil && i < len(requests); i++ {
		err = f.send(ctx, requests[i])
	}
	switch {
	case err != nil:
		f.Count(Dropped, len(events))
		f.Logger.Warn("failed to send events to analytics tool", "tool", tool.Tool, "site", s.Origin, "error", err)
	case len(requests) > 0:
		f.Count(Sent, len(events))
	}
	return err
}

func (f *Forwarder) send(ctx context.Context, m message) (err error) {
	for i := range tries {
		if i > 0 {
			select {
			case <-ctx.Done():
				return err
			case <-time.After(f.Pause << (i - 1)):
			}
		}
		if err = f.once(ctx, m); err == nil || errors.Is(err, errRefused) {
			return err
		}
	}
	return err
}

var errRefused = errors.New("refused")

func (f *Forwarder) once(ctx context.Context, m message) error {
	r, err := m.request(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	resp, err := f.Client.Do(r)
	if err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10)) // so that the connection can be reused
	if err := resp.Body.Close(); err != nil {
		return err
	}
	switch {
	case resp.StatusCode < 300:
		return nil
	case resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests:
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	return fmt.Errorf("%w: status %d", errRefused, resp.StatusCode)
}
