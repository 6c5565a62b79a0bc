package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// caller calls a server's API with plain HTTP and JSON, as curl would.
type caller struct {
	*process
	key string
}

func (c caller) do(method, path string, in any) *http.Response {
	c.t.Helper()
	var body io.Reader
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			c.t.Fatal(err)
		}
		body = bytes.NewReader(raw)
	}
	req, err := http.NewRequest(method, c.url+path, body)
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	req.Header.Set("Content-Type", "application/json")
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	return r
}

// call sends one request, checks its status, and decodes the response into out unless it is nil.
func (c caller) call(method, path string, in any, status int, out any) {
	c.t.Helper()
	r := c.do(method, path, in)
	defer func() { _ = r.Body.Close() }()
	raw, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != status {
		c.t.Fatalf("%s %s: %d %v: %s", method, path, r.StatusCode, err, raw)
	}
	if out != nil {
		if err := json.Unmarshal(raw, out); err != nil {
			c.t.Fatalf("%s %s: %v: %s", method, path, err, raw)
		}
	}
}

// waitForJob polls a job until it is no longer active.
func (c caller) waitForJob(path string) (job client.AgentJob) {
	c.t.Helper()
	c.Await("the end of the agent's job", func() bool {
		c.call(http.MethodGet, path, nil, http.StatusOK, &job)
		return job.Status.Ended()
	})
	return job
}

// waitForCompleted waits for a job that must complete with a pull request.
func (c caller) waitForCompleted(path string) client.AgentJob {
	c.t.Helper()
	job := c.waitForJob(path)
	if job.Status != client.AgentJobStatusCompleted || job.PRLink == nil || job.Error != nil {
		c.t.Fatalf("%+v\n%s", job, strings.Join(c.events(path), "\n"))
	}
	return job
}

// events reads the event stream of a job that has ended, and returns its lines.
func (c caller) events(path string) []string {
	c.t.Helper()
	r := c.do(http.MethodGet, path+"/events", nil)
	defer func() { _ = r.Body.Close() }()
	if got := r.Header.Get("Content-Type"); r.StatusCode != http.StatusOK ||
		!strings.HasPrefix(got, "text/event-stream") {
		c.t.Fatalf("stream: %d %q", r.StatusCode, got)
	}
	var lines []string
	scanner := bufio.NewScanner(r.Body)
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		lines = append(lines, scanner.Text())
	}
	if err := scanner.Err(); err != nil {
		c.t.Fatal(err)
	}
	return lines
}

// expectEvents fails the test unless the stream contains these texts, in this order.
func (c caller) expectEvents(path string, wanted ...string) {
	c.t.Helper()
	all := strings.Join(c.events(path), "\n")
	rest := all
	for _, want := range wanted {
		_, after, found := strings.Cut(rest, want)
		if !found {
			c.t.Errorf("the stream lacks %q at its place:\n%s", want, all)
			return
		}
		rest = after
	}
}

// startWithSample starts an unconfigured server. It returns a caller with the server's first key and the id of the
// project that the server created for domain on its own.
func startWithSample(t *testing.T, domain string) (c caller, projectID string) {
	t.Helper()
	c.process = serve(t, t.TempDir(), nil)
	c.Await("the first key", func() bool { return keyShape.MatchString(c.Output()) })
	c.key = keyShape.FindString(c.Output())
	c.Await("the site on "+domain,
		func() bool { code, _ := page(t, c.process, domain, "/"); return code == http.StatusOK })
	list, err := c.client(c.key).ListProjects(background(), client.ListProjectsParams{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list.Projects {
		if p.Domains[0] == domain {
			return c, p.ProjectID
		}
	}
	t.Fatalf("no project for %s", domain)
	return c, ""
}

// archive archives a job, which accepts no messages afterwards.
func archive(c caller, path string) {
	var job client.AgentJob
	c.call(http.MethodPost, path+"/archive", nil, http.StatusOK, &job)
	if job.Status != client.AgentJobStatusArchived || job.ArchivedAt == nil {
		c.t.Errorf("archived: %+v", job)
	}
	c.call(http.MethodPost, path+"/message", map[string]string{"prompt": "go on"}, http.StatusConflict, nil)
}
