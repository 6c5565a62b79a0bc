package publish

import (
	"context"
	"log/slog"
	"time"

	"github.com/lectern-docs/lectern/internal/deploy"
	"github.com/lectern-docs/lectern/internal/event"
	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/project"
	"github.com/lectern-docs/lectern/internal/snapshot"
	"github.com/lectern-docs/lectern/internal/store"
)

// Poller looks for new commits in repositories that send no webhook.
type Poller struct {
	Store  *store.Store
	Source *snapshot.Fetcher
	Every  time.Duration // how often each repository is asked
	Now    func() time.Time
	Logger *slog.Logger
}

// pollsAtOnce bounds how many repositories one round asks.
const pollsAtOnce = 50

// Poll asks the repositories that are due and queues a deployment for each that has moved. One that does not answer
// is logged and asked again next time.
func (p *Poller) Poll(ctx context.Context) error {
	due, err := p.Store.TakeDuePolls(ctx, p.Now().Add(-p.Every), pollsAtOnce)
	if err != nil {
		return err
	}
	for _, one := range due {
		if err := p.poll(ctx, one); err != nil && ctx.Err() == nil {
			p.Logger.Warn("poll repository", "project", one.ID, "error", err)
		}
	}
	return ctx.Err()
}

func (p *Poller) poll(ctx context.Context, one project.Project) error {
	head, err := p.Source.Head(ctx, one)
	if err != nil {
		return err
	}
	last, err := p.Store.FindLastDeployment(ctx, one.ID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	if err == nil && (last.Commit == head || !last.Status.Ended()) {
		return nil // it is published, has failed in this very state, or is on its way
	}
	return p.Store.Tx(ctx, func(t *store.Tx) error {
		d, err := t.QueueDeployment(ctx, one, deploy.Production, "", "poll")
		if err != nil {
			return err
		}
		return t.Record(ctx, event.New(one.OrganizationID, "system", "deployment.start", d.ID, "", p.Now(), map[string]string{"trigger": "poll", "project": one.ID, "commit": head}))
	})
}
