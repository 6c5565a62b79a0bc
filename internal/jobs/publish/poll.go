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

// Poller looks for new commits in repositories that send no webhook.
type Poller struct {
	Store  *store.Store
	Source *snapshot.Fetcher
	Every  time.Duration // how often each repository is polled
	Now    func() time.Time
	Logger *slog.Logger
}

const (
	pollsTaken   = 50               // repositories that are marked as polled at once; a process that dies leaves them unasked
	pollsAside   = 16               // repositories that are asked at the same time
	pollLife     = 30 * time.Second // for one answer
	hostPatience = 2                // answers that a round waits for in vain, of one organization, before it leaves its host out
	hostTenants  = 3                // organizations that wait in vain before a round leaves their host out for all
)

// Poll asks all repositories that are due and queues a deployment for each that has moved. One that does not answer is
// logged and asked again next time; the other repositories of a host that is silent are too, because they would keep
// those of other hosts waiting.
func (p *Poller) Poll(ctx context.Context) error {
	since := p.Now().Add(-p.Every) // of the whole round, which ends when each was asked once
	silent := silentHosts{late: map[string]map[string]int{}}
	asked := map[string]bool{} // a clock that is set back meanwhile makes all of them due again
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

// ask polls one repository within the time for an answer.
func (p *Poller) ask(ctx context.Context, one project.Project, silent *silentHosts) {
	host := hostOf(one.Source.Repository)
	if silent.skip(host, one.OrganizationID) {
		p.Logger.Warn("poll repository: its host did not respond in this round, asking again in the next", "project", one.ID,
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
		p.Logger.Warn("poll repository", "project", one.ID, "error", err)
	}
}

// silentHosts counts answers that did not come in time, by host and organization. A host that answers anybody in time is
// not silent, and repositories that one organization chose cannot keep others from being asked. It is safe for concurrent use.
type silentHosts struct {
	mu   sync.Mutex
	late map[string]map[string]int
}

// note records whether a host kept an organization waiting in vain. Repositories without a host are not counted.
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

// hostOf returns the host in the address of a repository, with its port: https://host/path, ssh://user@host/path or
// user@host:path. Folders have none.
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

// poll asks one repository and calls answered with what became of that.
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
