package publish

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/refversion"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
	"github.com/lectern-docs/lectern/internal/store"
)

// Poller looks for new commits in repositories that send no webhook.
type Poller struct {
	Store  *store.Store
	Source *snapshot.Fetcher
	Every  time.Duration // how often each repository is polled
	Now    func() time.Time
	Logger *slog.Logger
}

const (
	pollsAtOnce = 50               // repositories that one round asks
	pollsAside  = 4                // of them at the same time, so that a silent host does not keep the others waiting
	pollLife    = 30 * time.Second // for one answer
)

// Poll asks the repositories that are due and queues a deployment for each that has moved. One that does not answer
// is logged and asked again next time.
func (p *Poller) Poll(ctx context.Context) error {
	due, err := p.Store.TakeDuePolls(ctx, p.Now().Add(-p.Every), pollsAtOnce)
	if err != nil {
		return err
	}
	var asking errgroup.Group
	asking.SetLimit(pollsAside)
	for _, one := range due {
		asking.Go(func() error {
			ask, cancel := context.WithTimeout(ctx, pollLife)
			defer cancel()
			if err := p.poll(ask, one); err != nil && ctx.Err() == nil {
				p.Logger.Warn("poll repository", "project", one.ID, "error", err)
			}
			return nil
		})
	}
	return errors.Join(asking.Wait(), ctx.Err())
}

func (p *Poller) poll(ctx context.Context, one project.Project) error {
	last, err := p.Store.FindLastDeployment(ctx, one.ID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	known := err == nil
	head, moved, err := p.head(ctx, one, last)
	if err != nil {
		return err
	}
	if known {
		if due, err := p.due(ctx, last, moved); err != nil || !due {
			return err
		}
	}
	return p.Store.Tx(ctx, func(t *store.Tx) error {
		d, err := t.QueueDeployment(ctx, one, deploy.Production, "", "poll")
		if err != nil {
			return err
		}
		return t.Record(ctx, event.New(one.OrganizationID, "system", "deployment.start", d.ID, "", p.Now(),
			map[string]string{"trigger": "poll", "project": one.ID, "commit": head}))
	})
}

// head returns the newest commit of a repository, and whether it, or a branch or tag that is a version of the site, is
// another one than the last deployment's.
func (p *Poller) head(ctx context.Context, one project.Project, last deploy.Deployment) (head string, moved bool,
	err error) {
	v := last.Versions
	if v == nil {
		head, err = p.Source.Head(ctx, one)
		return head, last.Commit != head, err
	}
	refs, branch, err := p.Source.Refs(ctx, one)
	if err != nil {
		return "", false, err
	}
	for _, ref := range refs {
		if ref.Name == refversion.FullName(branch) {
			head = ref.Commit
		}
	}
	return head, head != v.Head || v.Rules.Digest(refs) != v.Refs, nil
}

// longestRetry is the longest time between two tries of a commit.
const longestRetry = 6 * time.Hour

// due reports whether a repository's newest state is to be published, given the last deployment. One that is
// published, is on its way or has failed because of what is in it is not. One that failed for another reason is tried
// again, after twice the time with each failure.
func (p *Poller) due(ctx context.Context, last deploy.Deployment, moved bool) (bool, error) {
	switch {
	case !last.Status.Ended():
		return false, nil
	case moved:
		return true, nil
	case last.Status != deploy.Failure || !last.Transient || last.EndedAt == nil:
		return false, nil
	}
	failures, err := p.Store.CountTransientFailures(ctx, last.ProjectID, last.Commit)
	if err != nil {
		return false, err
	}
	pause := min(p.Every<<min(max(failures-1, 0), 20), longestRetry)
	since := p.Now().Sub(*last.EndedAt)
	return since >= pause || since < 0, nil // below zero: the clock was set back since
}
