package e2e

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// shared is what servers and workers of one cluster are started with.
func shared(t *testing.T, databaseURL string) []string {
	t.Helper()
	return []string{
		"LECTERN_DATABASE=" + databaseURL,
		"LECTERN_BLOB=s3://" + objects.Bucket(t) + "/sites?region=" + objects.Region + "&path-style=true&endpoint=" + objects.Endpoint,
		"LECTERN_S3_ACCESS_KEY=" + objects.AccessKey, "LECTERN_S3_SECRET_KEY=" + objects.SecretKey,
		"LECTERN_SECRET_KEY=0123456789abcdef0123456789abcdef",
		"LECTERN_JOB_LEASE=3s", "LECTERN_JOB_HEARTBEAT=250ms",
	}
}

// organizations makes that many and returns a client for each.
func organizations(t *testing.T, p *process, env []string, n int) []*client.Client {
	t.Helper()
	var all []*client.Client
	for range n {
		id := command(t, env, "org", "create", "One of many", "--plan", "enterprise", "--data", t.TempDir())
		all = append(all, p.client(command(t, env, "keys", "create", "--data", t.TempDir(), "--organization", id)))
	}
	return all
}

// startWorker starts a worker on a data folder of its own and waits until it takes tasks.
func startWorker(t *testing.T, env []string, data string) *process {
	t.Helper()
	w := spawn(t, env, "worker", "--data", data, "--workers", "1")
	w.data = data
	w.Await("start", func() bool { return strings.Contains(w.Output(), "worker started") })
	return w
}

// newProject makes a project without waiting for its first publication.
func newProject(t *testing.T, c *client.Client, dir, domain string) *client.Project {
	t.Helper()
	made, err := c.CreateProject(background(), client.CreateProject{Name: domain, Domain: domain, Source: client.SourceInput{Path: dir}})
	if err != nil {
		t.Fatal(err)
	}
	return made
}
