package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// organization is an organization with its projects.
type organization struct {
	client   *client.Client
	projects []*docs
}

// docs is a project with its repository and its publications so far.
type docs struct {
	org    *organization
	id     string
	domain string
	repo   *repository

	mu        sync.Mutex
	published []stamp // guarded by mu; in order
}

// stamp records when the API reported that a counter is live.
type stamp struct {
	counter int
	at      time.Time
}

// recordPublished records that a counter is published now.
func (d *docs) recordPublished(counter int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.published = append(d.published, stamp{counter, time.Now()})
}

// fresh is the time within which every server must show a publication.
const fresh = time.Second

// oldestAllowed returns the oldest counter that a reader may see in response to a request sent at the given time.
func (d *docs) oldestAllowed(asked time.Time) (counter int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.published {
		if s.at.Add(fresh).Before(asked) {
			counter = s.counter
		}
	}
	return counter
}

// history lists the publications with their times.
func (d *docs) history() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []string
	for _, s := range d.published {
		out = append(out, fmt.Sprintf("%d was live at %s", s.counter, s.at.Format(time.StampMilli)))
	}
	return strings.Join(out, ", ")
}

// createOrganizations creates organizations with projects and publishes each once.
func (c *cluster) createOrganizations(host *codeHost, organizations, projectsEach, pages int) (all []*organization) {
	c.t.Helper()
	for i := range organizations {
		o := &organization{}
		o.client, _ = c.organization(fmt.Sprintf("Organization %d", i))
		for j := range projectsEach {
			name := fmt.Sprintf("docs-%d-%d", i, j)
			o.projects = append(o.projects, newDocs(c, o, host.repository(name, pages), name+".example.com"))
		}
		all = append(all, o)
	}
	for _, d := range projects(all) {
		if _, err := d.org.client.WaitUpdate(context.Background(), d.lastUpdate(c), nil); err != nil {
			c.t.Fatal(err)
		}
		d.recordPublished(0)
	}
	return all
}

func projects(all []*organization) (list []*docs) {
	for _, o := range all {
		list = append(list, o.projects...)
	}
	return list
}

// newDocs creates a project without waiting for its first publication.
func newDocs(c *cluster, o *organization, repo *repository, domain string) *docs {
	c.t.Helper()
	made, err := o.client.CreateProject(context.Background(), client.CreateProject{Name: domain, Domain: domain,
		Source: client.SourceInput{Repository: repo.url, Branch: "main"}})
	if err != nil {
		c.t.Fatal(err)
	}
	if made.DomainStates[0].State == client.DomainPending { // no name server knows these names
		own, err := o.client.GetOrganization(context.Background())
		if err != nil {
			c.t.Fatal(err)
		}
		lectern.Run(c.t, binary, c.env, "org", "domains", "approve", domain, "--organization", own.OrganizationID,
			"--data", c.t.TempDir())
	}
	return &docs{org: o, id: made.ProjectID, domain: domain, repo: repo}
}

// lastUpdate returns the id of the project's newest update.
func (d *docs) lastUpdate(c *cluster) string {
	c.t.Helper()
	p, err := d.org.client.GetProject(context.Background(), d.id)
	if err != nil {
		c.t.Fatal(err)
	}
	return p.LastUpdate.StatusID
}

// publish commits a counter, starts an update and returns when the update is live.
func (d *docs) publish(counter int) error {
	d.repo.commit(counter)
	var started *client.UpdateAccepted
	err := retry(func() (err error) {
		started, err = d.org.client.StartUpdate(context.Background(), d.id, client.StartUpdate{},
			client.WithIdempotencyKey(fmt.Sprintf("%s-%d", d.id, counter)))
		return err
	})
	if err != nil {
		return fmt.Errorf("publish %s: %w", d.domain, err)
	}
	for deadline := time.Now().Add(5 * lectern.Patience); ; <-time.After(100 * time.Millisecond) {
		var u *client.UpdateStatus
		if err := retry(func() (err error) {
			u, err = d.org.client.GetUpdateStatus(context.Background(), started.StatusID)
			return err
		}); err != nil {
			return fmt.Errorf("publish %s: %w", d.domain, err)
		}
		switch {
		case u.Status == client.UpdateStateFailure:
			return fmt.Errorf("publish %s: %s failed: %s", d.domain, u.StatusID, *u.Error)
		case u.Status == client.UpdateStateSuccess && !u.Live:
			return fmt.Errorf("publish %s: %s succeeded and is not live", d.domain, u.StatusID)
		case u.Status == client.UpdateStateSuccess:
			d.recordPublished(counter)
			return nil
		case time.Now().After(deadline):
			return fmt.Errorf("publish %s: %s did not end", d.domain, u.StatusID)
		}
	}
}

// export starts an export and follows it to its end. Its figures must never decrease (J5).
func (d *docs) export(label string) (jobID string, err error) {
	var job *client.ExportJob
	start := func() (err error) {
		job, err = d.org.client.StartExport(context.Background(), client.StartExport{Domain: d.domain, Version: label},
			client.WithIdempotencyKey("export-"+label))
		return err
	}
	if err := retry(start); err != nil {
		return "", fmt.Errorf("export %s: %w", label, err)
	}
	id, last := job.JobID, *job
	for deadline := time.Now().Add(5 * lectern.Patience); !job.Status.Ended(); <-time.After(300 * time.Millisecond) {
		if err := retry(func() (err error) {
			job, err = d.org.client.GetExport(context.Background(), id)
			return err
		}); err != nil {
			return id, fmt.Errorf("export %s: %w", id, err)
		}
		if job.Progress < last.Progress || job.PageCount < last.PageCount ||
			job.Progress == 100 != (job.Status == client.ExportStatusCompleted) {
			return id, fmt.Errorf("export %s: figures fell from %v/%d to %v/%d (%s)", id, last.Progress, last.PageCount,
				job.Progress, job.PageCount, job.Status)
		}
		if last = *job; time.Now().After(deadline) {
			return id, fmt.Errorf("export %s did not end: %+v", id, last)
		}
	}
	if job.Status != client.ExportStatusCompleted || job.ReusedFrom != nil {
		return id, fmt.Errorf("export %s: %s, error %v, reused %v", id, job.Status, deref(job.Error),
			deref(job.ReusedFrom))
	}
	return id, nil
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// retry repeats a call while the response is 503 with Retry-After; the balancer handles broken connections.
func retry(call func() error) error {
	for deadline := time.Now().Add(lectern.Patience); ; {
		err := call()
		var refused *client.Error
		if !errors.As(err, &refused) || refused.Status != 503 || refused.RetryAfter == 0 || time.Now().After(deadline) {
			return err
		}
		<-time.After(min(refused.RetryAfter, time.Second))
	}
}
