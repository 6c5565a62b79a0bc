package chart

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

const readersHost = "docs.example.com"

// platformValues returns the objects of the whole platform on the test servers, with exports served from their volume.
// more adds values.
func platformValues(t *testing.T, more object) []object {
	t.Helper()
	values := object{
		"security": object{"openshift": "on"},
		"platform": object{
			"enabled": true, "publicUrl": "http://lectern.example.com",
			"databaseSecret": object{"name": "database"}, "secretKeySecret": object{"name": "secret-key"},
			"bucketSecret": object{"name": "bucket"},
			"bucketUrl": "s3://" + objects.Bucket(t) + "/sites?region=" + objects.Region +
				"&path-style=true&endpoint=" + objects.Endpoint,
			"settings": object{"sources": object{"local": "on"}, "export": object{"max-bytes": 21474836480},
				"allow-address": []string{"127.0.0.0/8"}},
			"shutdown": object{"delaySeconds": 1, "graceSeconds": 20},
		},
		"exportJob": object{"enabled": true, "domain": readersHost, "label": "nightly",
			"keySecret": object{"name": "export-key"}},
		"staticExport": object{"enabled": true, "fromExportJob": true, "version": "nightly", "pollInterval": "1s",
			"shutdown": object{"delaySeconds": 0}},
	}
	for part, extra := range more {
		maps.Copy(values[part].(object), extra.(object))
	}
	data, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "values.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return rendering{more: []string{"--values", file}}.objects(t)
}

// newPlatformNode returns a node with the Secrets that an operator creates first.
func newPlatformNode(t *testing.T) *node {
	t.Helper()
	n := newNode(t)
	n.secrets["database"] = map[string]string{"url": database.Database(t)}
	n.secrets["secret-key"] = map[string]string{"secret-key": "0123456789abcdef0123456789abcdef"}
	n.secrets["bucket"] = map[string]string{"access-key": objects.AccessKey, "secret-key": objects.SecretKey}
	return n
}

// owner creates a key as an operator does, with kubectl exec in a server's pod.
func owner(t *testing.T, n *node, all []object, server *running) (c *client.Client, key string) {
	t.Helper()
	said := strings.TrimSpace(n.finish(all, "server", "keys", "create"))
	key = said[strings.LastIndex(said, "lectern_"):] // the log precedes it
	c, err := client.New("http://"+server.ports["http"], key)
	if err != nil {
		t.Fatal(err)
	}
	return c, key
}

// republish publishes a project's folder again.
func republish(t *testing.T, c *client.Client, projectID string) {
	t.Helper()
	update, err := c.StartUpdate(context.Background(), projectID, client.StartUpdate{})
	if err == nil {
		_, err = c.WaitUpdate(context.Background(), update.StatusID, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// publish creates a project from a folder and waits until it is live.
func publish(t *testing.T, c *client.Client, folder string) *client.Project {
	t.Helper()
	project, err := c.CreateProject(context.Background(),
		client.CreateProject{Name: "Handbook", Domain: readersHost, Source: client.SourceInput{Path: folder}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.WaitUpdate(context.Background(), project.LastUpdate.StatusID, nil); err != nil {
		t.Fatal(err)
	}
	return project
}

// propose has the worker's agent change the project, and reads the proposal from the server. Both use the repositories
// on the shared volume.
func propose(t *testing.T, c *client.Client, projectID string) {
	t.Helper()
	job, err := c.CreateAgentJob(context.Background(), projectID, client.CreateAgentJob{Prompt: "rename Home to House"})
	if err == nil {
		job, err = c.WaitAgentJob(context.Background(), projectID, job.ID, nil)
	}
	if err != nil || job.PRLink == nil {
		t.Fatalf("%+v: %v", job, err)
	}
	link := *job.PRLink
	proposal, err := c.GetProposal(context.Background(), projectID, link[strings.LastIndex(link, "/")+1:])
	if err != nil || len(proposal.Files) == 0 {
		t.Errorf("the proposal %s: %+v: %v", link, proposal, err)
	}
}

// openUp lets the pods' user read one of the test's folders.
func openUp(t *testing.T, folder string) {
	t.Helper()
	for dir := folder; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func rewrite(t *testing.T, file, old, replacement string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(data), old, replacement, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Without the hook and without workers, a server migrates and runs jobs itself.
func TestSingleServerMigratesAndRunsJobs(t *testing.T) {
	t.Parallel()
	n := newPlatformNode(t)
	all := platformValues(t,
		object{"platform": object{"migrations": object{"enabled": false}, "worker": object{"enabled": false}}})
	if len(pods(all)) != 5 { // two of them for helm test
		t.Errorf("%d pods", len(pods(all)))
	}
	server := n.start(all, "server").ready()
	c, _ := owner(t, n, all, server)
	folder := writeSite(t, "One server is enough.")
	openUp(t, folder)
	publish(t, c, folder)
	if body := server.page(readersHost, "/"); !strings.Contains(body, "One server is enough.") {
		t.Error("the site is not live")
	}
	server.stop()
}
