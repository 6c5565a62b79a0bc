package worker

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/task"
)

// Watch puts lapsed tasks back in the queue and renews lost wake-ups until ctx ends. Every process with workers
// does it: the statements are idempotent, and no election has to run first when a worker dies.
func (p *Pool) Watch(ctx context.Context) {
	tick := time.NewTicker(max(p.Lease/4, 250*time.Millisecond))
	defer tick.Stop()
	for {
		p.look(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// look is one round of Watch; a database that does not answer ends it, and the next may fare better.
func (p *Pool) look(watch context.Context) {
	ctx, cancel := context.WithTimeout(watch, p.Lease)
	defer cancel()
	lapsed, err := p.Tasks.RequeueLapsed(ctx)
	p.complain(watch, "requeue lapsed tasks", err)
	if len(lapsed) > 0 {
		p.Logger.Warn("tasks taken back from silent workers", "tasks", lapsed)
	}
	// Only as many as can be served at once: where all are busy, renewed wake-ups would pile up for as long as they are.
	for _, lane := range []struct {
		free  int
		kinds []task.Kind
	}{{p.Slots - int(p.busy.Load()), p.kinds(false)}, {p.Agents - int(p.agents.Load()), p.kinds(true)}} {
		if lane.free > 0 && len(lane.kinds) > 0 {
			_, err := p.Tasks.RewakeStale(ctx, p.Now().Add(-p.Lease/2), lane.free, lane.kinds...)
			p.complain(watch, "renew wake-ups", err)
		}
	}
}

func (p *Pool) complain(watch context.Context, what string, err error) {
	if err != nil && watch.Err() == nil {
		p.Logger.Error(what, "error", err)
	}
}
