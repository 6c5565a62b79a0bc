package cluster

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// calmRun creates the same bundles from the same commits on a single undisturbed server with the embedded database and
// local files.
func calmRun(t *testing.T, all []*docs, wanted map[making]digests) map[making]digests {
	t.Helper()
	began := time.Now()
	env := []string{"LECTERN_ALLOW_ADDRESS=127.0.0.1", "LECTERN_FIRST_SITE=off", "LECTERN_GIT_POLL_INTERVAL=0",
		"LECTERN_RATE_LIMIT=0",
		"LECTERN_EXPORT_MAX_RUNNING_PER_ORGANIZATION=0", "LECTERN_EXPORT_MAX_QUEUED_PER_ORGANIZATION=0"}
	data, address := t.TempDir(), lectern.FreeAddress(t)
	p := lectern.Spawn(t, binary, env, "serve", "--data", data, "--listen", address)
	p.Await("readiness", func() bool { return lectern.Status("http://"+address+"/readyz") == http.StatusOK })
	c, err := client.New("http://"+address, lectern.Run(t, binary, env, "keys", "create", "--data", data))
	if err != nil {
		t.Fatal(err)
	}
	r := &calm{client: c, made: map[making]digests{}}
	var work sync.WaitGroup
	for _, d := range all {
		work.Go(func() {
			if err := r.repeat(d, wanted); err != nil {
				r.errs.add(err)
			}
		})
	}
	work.Wait()
	for _, err := range r.errs.list() {
		t.Errorf("calm run: %v", err)
	}
	t.Logf("the calm run took %s", time.Since(began).Round(time.Second))
	return r.made
}

type calm struct {
	client *client.Client
	errs   errorList
	mu     sync.Mutex
	made   map[making]digests // guarded by mu
}

// repeat publishes each exported commit of a project in turn and repeats its exports.
func (r *calm) repeat(d *docs, wanted map[making]digests) error {
	labels := map[string][]string{} // by commit
	for m := range wanted {
		if m.domain == d.domain {
			labels[m.commit] = append(labels[m.commit], m.label)
		}
	}
	projectID := ""
	for commit, exports := range labels {
		d.repo.setHead(commit)
		statusID, err := "", error(nil)
		if projectID == "" {
			projectID, statusID, err = r.create(d)
		} else {
			var started *client.UpdateAccepted
			if started, err = r.client.StartUpdate(context.Background(), projectID, client.StartUpdate{}); err == nil {
				statusID = started.StatusID
			}
		}
		if err == nil {
			_, err = r.client.WaitUpdate(context.Background(), statusID, nil)
		}
		if err != nil {
			return err
		}
		if err := r.exports(d, commit, exports); err != nil {
			return err
		}
	}
	return nil
}

func (r *calm) create(d *docs) (projectID, statusID string, err error) {
	made, err := r.client.CreateProject(context.Background(), client.CreateProject{Name: d.domain, Domain: d.domain,
		Source: client.SourceInput{Repository: d.repo.url, Branch: "main"}})
	if err != nil {
		return "", "", err
	}
	return made.ProjectID, made.LastUpdate.StatusID, nil
}

func (r *calm) exports(d *docs, commit string, labels []string) error {
	var jobs []*client.ExportJob
	for _, label := range labels {
		job, err := r.client.StartExport(context.Background(), client.StartExport{Domain: d.domain, Version: label})
		if err != nil {
			return err
		}
		jobs = append(jobs, job)
	}
	for i, job := range jobs {
		if _, err := r.client.WaitExport(context.Background(), job.JobID, nil); err != nil {
			return err
		}
		got, err := bundles(r.client, job.JobID)
		if err != nil {
			return fmt.Errorf("bundle of %s: %w", job.JobID, err)
		}
		r.mu.Lock()
		r.made[making{d.domain, labels[i], commit}] = got
		r.mu.Unlock()
	}
	return nil
}
