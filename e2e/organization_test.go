package e2e

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// sharedSettings returns the settings that servers and workers of one cluster share.
func sharedSettings(t *testing.T, databaseURL string) []string {
	t.Helper()
	return []string{
		"LECTERN_DATABASE=" + databaseURL,
		"LECTERN_BLOB=s3://" + objects.Bucket(t) + "/sites?region=" + objects.Region + "&path-style=true&endpoint=" +
			objects.Endpoint,
		"LECTERN_S3_ACCESS_KEY=" + objects.AccessKey, "LECTERN_S3_SECRET_KEY=" + objects.SecretKey,
		"LECTERN_SECRET_KEY=0123456789abcdef0123456789abcdef",
		"LECTERN_JOB_LEASE=3s", "LECTERN_JOB_HEARTBEAT=250ms",
	}
}

// tenant is one of several organizations of a server.
type tenant struct {
	id, key string
	source  string // a docs folder that the operator allows for this organization
}

// organizations creates n organizations before their server starts, each with a docs folder of the given number of
// pages. It returns them and the environment variable that allows these folders.
func organizations(t *testing.T, env []string, data string, n, pages int) (all []tenant, roots string) {
	t.Helper()
	var list []string
	for range n {
		o := tenant{id: command(t, env, "org", "create", "One of many", "--plan", "enterprise", "--data", data),
			source: site(t, pages)}
		o.key = command(t, env, "keys", "create", "--data", data, "--organization", o.id)
		all, list = append(all, o), append(list, o.id+"="+o.source)
	}
	return all, "LECTERN_SOURCES_ROOTS=" + strings.Join(list, ",")
}

// startWorker starts a worker with its own data folder and waits until it takes tasks.
func startWorker(t *testing.T, env []string, data string) *process {
	t.Helper()
	w := spawn(t, env, "worker", "--data", data, "--workers", "1")
	w.data = data
	w.Await("start", func() bool { return strings.Contains(w.Output(), "worker started") })
	return w
}

// newProject creates a project without waiting for its first publication.
func newProject(t *testing.T, c *client.Client, dir, domain string) *client.Project {
	t.Helper()
	made, err := c.CreateProject(background(),
		client.CreateProject{Name: domain, Domain: domain, Source: client.SourceInput{Path: dir}})
	if err != nil {
		t.Fatal(err)
	}
	return made
}
