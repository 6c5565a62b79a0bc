package publish

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"sync"
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

// Poller looks for new commits in repositories that do not send webhooks.
type Poller struct {
	Store  *store.Store
	Source *snapshot.Fetcher
	Every  time.Duration // how often each repository is polled
	Now    func() time.Time
	Logger *slog.Logger
}

const (
	// repositories marked as polled in one batch; if a process dies, the rest of its batch is not polled in this round
	pollsTaken   = 50
	pollsAside   = 16               // repositories polled in parallel
	pollLife     = 30 * time.Second // timeout of one request
	hostPatience = 2                // timeouts for one organization before a round skips the host for that organization
	hostTenants  = 3                // organizations with timeouts before a round skips their host for all
)

// Poll polls all repositories that are due and queues a deployment for each that has new commits. It logs a
// repository that does not respond and retries it next time. It also skips the other repositories of an unresponsive
// host, because they would delay those of other hosts.
func (p *Poller) Poll(ctx context.Context) error {
	since := p.Now().Add(-p.Every) // fixed for the round, which ends when each repository was polled once
	silent := silentHosts{late: map[string]map[string]int{}}
	asked := map[string]bool{} // if the clock is set back during the round, all of them become due again
	var asking errgroup.Group
	asking.SetLimit(pollsAside)
	for {
		due, err := p.Store.TakeDuePolls(ctx, since, pollsTaken)
		before := len(asked)
		for _, one := range due {
			if asked[one.ID] {
				continue
			}
			asked[one.ID] = true
			asking.Go(func() error {
				p.ask(ctx, one, &silent)
				return nil
			})
		}
		if err != nil || len(due) < pollsTaken || len(asked) == before {
			return errors.Join(err, asking.Wait(), ctx.Err())
		}
	}
}

// ask polls one repository with a timeout.
func (p *Poller) ask(ctx context.Context, one project.Project, silent *silentHosts) {
	host := hostOf(one.Source.Repository)
	if silent.skip(host, one.OrganizationID) {
		p.Logger.Warn("repository not polled: its host did not respond in this round, will retry in the next", "project", one.ID,
			"host", host)
		return
	}
	ask, cancel := context.WithTimeout(ctx, pollLife)
	defer cancel()
	answered := func(err error) {
		if ctx.Err() == nil {
			silent.note(host, one.OrganizationID, err != nil && ask.Err() != nil)
		}
	}
	if err := p.poll(ask, one, answered); err != nil && ctx.Err() == nil {
		p.Logger.Warn("failed to poll repository", "project", one.ID, "error", err)
	}
}

// silentHosts counts timeouts by host and organization. A host that responds in time to a request for any organization
// counts as responsive, and one organization's repositories cannot prevent those of others from being polled. It is
// safe for concurrent use.
type silentHosts struct {
	mu   sync.Mutex
	late map[string]map[string]int
}

// note records whether a request for an organization timed out. Repositories without a host are not counted.
func (s *silentHosts) note(host, organizationID string, late bool) {
	if host == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !late {
		delete(s.late, host)
		return
	}
	if s.late[host] == nil {
		s.late[host] = map[string]int{}
	}
	s.late[host][organizationID]++
}

func (s *silentHosts) skip(host, organizationID string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.late[host]) >= hostTenants || s.late[host][organizationID] >= hostPatience
}

// hostOf returns the host of a repository's address, including the port, from https://host/path, ssh://user@host/path
// or user@host:path. Folders have none.
func hostOf(repository string) string {
	if u, err := url.Parse(repository); err == nil && u.Host != "" {
		return u.Scheme + "://" + u.Host
	}
	name, _, ok := strings.Cut(repository, ":")
	if !ok || strings.Contains(name, "/") {
		return ""
	}
	return name[strings.LastIndexByte(name, '@')+1:]
}

// poll polls one repository and calls answered with the result.
func (p *Poller) poll(ctx context.Context, one project.Project, answered func(error)) error {
	last, err := p.Store.FindLastDeployment(ctx, one.ID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	known := err == nil
	head, moved, err := p.head(ctx, one, last)
	if answered(err); err != nil {
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

// head returns the newest commit of a repository, and whether it, or a branch or tag that is a version of the site,
// differs from the last deployment.
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

// longestRetry is the longest pause between attempts to publish a commit.
const longestRetry = 6 * time.Hour

// due reports whether a repository's newest state should be published, given the last deployment. It is false if that
// state is published, in progress, or failed because of its content. If it failed for another reason, it is retried,
// with the pause doubled after each failure.
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
	return since >= pause || since < 0, nil // negative if the clock was set back
}
