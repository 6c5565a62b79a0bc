package worker

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/task"
)

// Watch requeues tasks with expired leases and repeats lost wake-ups until ctx ends. Every process with workers runs
// it: the statements are idempotent, so no leader election is needed.
func (p *Pool) Watch(ctx context.Context) {
	tick := time.NewTicker(max(p.Lease/4, 250*time.Millisecond))
	defer tick.Stop()
	for {
		p.watchRound(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// watchRound runs one round of Watch. If the database does not respond, the round ends, and the next one tries again.
func (p *Pool) watchRound(watch context.Context) {
	ctx, cancel := context.WithTimeout(watch, p.Lease)
	defer cancel()
	lapsed, err := p.Tasks.RequeueLapsed(ctx)
	p.logError(watch, "failed to requeue tasks with expired leases", err)
	if len(lapsed) > 0 {
		p.Logger.Warn("requeued tasks with expired leases", "tasks", lapsed)
	}
	// Wake only as many as can be processed now: a full lane looks for tasks when a slot becomes free.
	since := p.Now().Add(-p.Lease / 2)
	ordinary := p.Slots - int(p.busy.Load())
	for _, one := range []struct {
		lane  task.Lane
		free  int
		kinds []task.Kind
	}{{task.Ordinary, ordinary, p.kinds(task.Ordinary)}, {task.Express, p.freeExpress(ordinary), p.kinds(task.Express)},
		{task.Agents, p.Agents - int(p.agents.Load()), p.kinds(task.Agents)},
		{task.Mails, p.Mails - int(p.mails.Load()), p.kinds(task.Mails)},
		{task.Deliveries, p.Deliveries - int(p.posts.Load()), p.kinds(task.Deliveries)}} {
		if one.free > 0 && len(one.kinds) > 0 {
			_, err := p.Tasks.RewakeStale(ctx, since, one.lane, one.free, one.kinds...)
			p.logError(watch, "failed to renew wake-ups", err)
		}
	}
}

// freeExpress returns 1 if the express lane's slot is free and needed because the ordinary lane has no free slot,
// otherwise 0.
func (p *Pool) freeExpress(ordinary int) int {
	if ordinary > 0 {
		return 0
	}
	return 1 - int(p.express.Load())
}

func (p *Pool) logError(watch context.Context, what string, err error) {
	if err != nil && watch.Err() == nil {
		p.Logger.Error(what, "error", err)
	}
}
