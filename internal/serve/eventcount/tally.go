package eventcount

import (
	"context"
	"io"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/audience"
)

// Store stores the sums; *store.Store implements it.
type Store interface {
	AddAudience(ctx context.Context, b *audience.Batch) error
	FindSalt(ctx context.Context, day audience.Day, fresh []byte) ([]byte, error)
}

// Options configures a Counter. A zero field means the default.
type Options struct {
	Store  Store
	Now    func() time.Time
	Rand   io.Reader // source of randomness for salts
	Logger *slog.Logger
	Also   func(audience.Event)        // also called with each event; must return immediately; may be nil
	Count  func(outcome string, n int) // called with the number of events stored, dropped or limited; may be nil
	Every  time.Duration               // interval between writes; 0 = one second
	Keys   int                         // maximum number of entries in memory; 0 = 50,000
}

const (
	maxKnown = 200_000          // visitors remembered as stored
	patience = 20 * time.Second // timeout of a write
	maxFails = 30               // consecutive failed writes before their counts are dropped
)

// Outcomes of events.
const (
	Stored  = "stored"
	Dropped = "dropped"
	Limited = "limited" // rejected by a limit
)

// Counter counts the events of one process. It is safe for concurrent use.
type Counter struct {
	Options
	mu    sync.Mutex
	batch *audience.Batch        // being filled
	known map[audience.Mark]bool // read by batches, so modify it only while holding mu
	day   audience.Day           // day of salt
	salt  []byte                 // nil = currently unknown; visitors are not distinguished then

	writing sync.Mutex      // held during a write
	rest    *audience.Batch // counts that could not be written yet
	fails   int             // consecutive failures

	full chan struct{} // signals that there is enough to write
	stop chan struct{}
	done chan struct{}
}

// Open starts a counter. The caller closes it.
func Open(ctx context.Context, opt Options) *Counter {
	if opt.Every == 0 {
		opt.Every = time.Second
	}
	if opt.Keys == 0 {
		opt.Keys = 50_000
	}
	if opt.Count == nil {
		opt.Count = func(string, int) {}
	}
	c := &Counter{Options: opt, full: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}),
		known: map[audience.Mark]bool{}}
	c.batch = audience.NewBatch(opt.Keys, c.known)
	if err := c.renewSalt(ctx); err != nil {
		opt.Logger.Warn("failed to load visitor salt, unique visitors are not counted until a retry succeeds", "error", err)
	}
	go c.run()
	return c
}

// Record counts an event. An event that does not fit is dropped, and the drop is counted.
func (c *Counter) Record(e audience.Event) {
	if e.At.IsZero() {
		e.At = c.Now()
	}
	if c.Also != nil {
		c.Also(e)
	}
	c.mu.Lock()
	ok := c.batch.Add(e)
	enough := c.batch.Enough(e.ProjectID)
	c.mu.Unlock()
	if !ok {
		c.Count(Dropped, 1)
	}
	if enough {
		select {
		case c.full <- struct{}{}:
		default: // already signaled
		}
	}
}

// Refuse counts events rejected by a limit.
func (c *Counter) Refuse(n int) { c.Count(Limited, n) }

// Visitor returns a number that identifies a reader of a site for today; zero if there is no salt.
func (c *Counter) Visitor(site string, from netip.Addr, agent string) [8]byte {
	c.mu.Lock()
	salt := c.salt
	if c.day != audience.DayOf(c.Now()) {
		salt = nil
	}
	c.mu.Unlock()
	return audience.Visitor(salt, site, from, agent)
}

// run writes until Close.
func (c *Counter) run() {
	defer close(c.done)
	tick := time.NewTicker(c.Every)
	defer tick.Stop()
	for {
		select {
		case <-c.stop:
			return
		case <-tick.C:
		case <-c.full:
		}
		if err := c.Flush(context.Background()); err != nil {
			c.Logger.Warn("analytics flush failed, will retry", "error", err)
		}
	}
}

// Close writes pending counts and stops. Later events are lost.
func (c *Counter) Close() error {
	close(c.stop)
	<-c.done
	return c.Flush(context.Background())
}
