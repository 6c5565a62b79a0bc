package webhook_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/refversion"
	"github.com/lectern-docs/lectern/internal/serve/webhook"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/storetest"
)

var current, previous = bytes.Repeat([]byte("a"), 32), bytes.Repeat([]byte("b"), 32)

func open(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(),
		store.Options{URL: storetest.SQLite(t, filepath.Join(t.TempDir(), "db")), Now: time.Now, IDs: id.Source{Rand: rand.Reader},
			Wake: func(context.Context, any, task.Lane) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func newProject(t *testing.T, s *store.Store, branch string) (p project.Project) {
	t.Helper()
	err := s.Tx(t.Context(), func(tx *store.Tx) error {
		o, err := tx.CreateOrganization(t.Context(), "a", account.PlanFree)
		if err != nil {
			return err
		}
		p, err = tx.CreateProject(t.Context(),
			project.Project{OrganizationID: o.ID, Name: "docs", Domains: []string{"docs" + branch + ".example"},
				Source: project.Source{Repository: "https://git.example.com/a/docs.git", Branch: branch}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sign signs a body as GitHub does.
func sign(p project.Project, master []byte, eventName, delivery, body string) webhook.Call {
	mac := hmac.New(sha256.New, []byte(project.HookSecret(master, p.ID, p.HookVersion)))
	mac.Write([]byte(body))
	h := http.Header{}
	h.Set("X-GitHub-Event", eventName)
	h.Set("X-GitHub-Delivery", delivery)
	h.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	h.Set("Content-Type", "application/json")
	return webhook.Call{ProjectID: p.ID, RequestID: "req_test", Header: h, Body: []byte(body)}
}

func pushTo(branch, commit string) string {
	return `{"ref":"refs/heads/` + branch + `","after":"` + commit + `","deleted":` +
		map[bool]string{true: "true", false: "false"}[strings.Trim(commit, "0") == ""] +
		`,"repository":{"full_name":"a/docs"}}`
}

var commit = strings.Repeat("c", 40)

func tasks(t *testing.T, s *store.Store) int {
	t.Helper()
	queued, _, err := s.CountTasks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return queued
}

func TestPushToProjectBranchQueuesDeployment(t *testing.T) {
	s := open(t)
	p := newProject(t, s, "main")
	r := webhook.New(s, [][]byte{current, previous}, time.Now)
	for name, master := range map[string][]byte{"current": current, "previous": previous} {
		res, err := r.Receive(t.Context(), sign(p, master, "push", "d-"+name, pushTo("main", commit)))
		if err != nil || res.StatusID == "" || res.Reason != "" {
			t.Errorf("%s master: %+v %v", name, res, err)
		}
	}
	events, err := s.ListEvents(t.Context(), p.OrganizationID, 0, 10)
	if err != nil || len(events) != 2 || events[0].Actor != "webhook" || events[0].RequestID != "req_test" ||
		events[0].Data["commit"] != commit {
		t.Errorf("events %+v %v", events, err)
	}
	if n := tasks(t, s); n != 1 { // the second joined the first, which was still waiting
		t.Errorf("%d tasks", n)
	}
}

func TestUnrelatedEventsChangeNothing(t *testing.T) {
	s := open(t)
	p := newProject(t, s, "main")
	r := webhook.New(s, [][]byte{current}, time.Now)
	for name, c := range map[string]webhook.Call{
		"other branch": sign(p, current, "push", "d1", pushTo("feature", commit)),
		"deletion":     sign(p, current, "push", "d2", pushTo("main", strings.Repeat("0", 40))),
		"ping":         sign(p, current, "ping", "d3", `{"zen":"x"}`),
		"tag": sign(p, current, "push", "d4",
			`{"ref":"refs/tags/v1","after":"`+commit+`","repository":{"full_name":"a/docs"}}`),
	} {
		if res, err := r.Receive(t.Context(), c); err != nil || res.StatusID != "" || res.Reason == "" {
			t.Errorf("%s: %+v %v", name, res, err)
		}
	}
	if n := tasks(t, s); n != 0 {
		t.Errorf("%d tasks", n)
	}
}

func TestProjectWithoutBranchFollowsAnyBranch(t *testing.T) {
	s := open(t)
	p := newProject(t, s, "")
	r := webhook.New(s, [][]byte{current}, time.Now)
	if res, err := r.Receive(t.Context(), sign(p, current, "push", "d1", pushTo("trunk", commit))); err != nil ||
		res.StatusID == "" {
		t.Errorf("%+v %v", res, err)
	}
	if res, err := r.Receive(t.Context(),
		sign(p, current, "push", "d2", pushTo("trunk", strings.Repeat("0", 40)))); err != nil || res.StatusID != "" {
		t.Errorf("deletion: %+v %v", res, err)
	}
}

// A push to a branch or tag that is a version of the site queues an update, and so does deleting it; other pushes do
// not.
func TestPushToVersionQueuesDeployment(t *testing.T) {
	s := open(t)
	p := newProject(t, s, "main")
	r := webhook.New(s, [][]byte{current}, time.Now)
	deliveries := 0
	push := func(ref, commit string) webhook.Result {
		t.Helper()
		deliveries++
		body := strings.Replace(pushTo("x", commit), "refs/heads/x", ref, 1)
		res, err := r.Receive(t.Context(), sign(p, current, "push", fmt.Sprint("version-", deliveries), body))
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	if res := push("refs/tags/v1", commit); res.StatusID != "" {
		t.Errorf("a site without versions: %+v", res)
	}
	publishVersions(t, s, p, &deploy.Versions{Rules: refversion.Rules{Tags: []string{"v*"}, Branches: []string{"release/*"}}})
	for ref, want := range map[string]bool{"refs/tags/v2": true, "refs/heads/release/1": true, "refs/tags/x": false,
		"refs/heads/v2": false, "refs/heads/feature": false} {
		for _, at := range []string{commit, strings.Repeat("0", 40)} {
			if res := push(ref, at); (res.StatusID != "") != want {
				t.Errorf("%s at %s: %+v", ref, at, res)
			}
		}
	}
}

// publishVersions publishes a deployment of the project with versions.
func publishVersions(t *testing.T, s *store.Store, p project.Project, v *deploy.Versions) {
	t.Helper()
	var d deploy.Deployment
	err := s.Tx(t.Context(), func(tx *store.Tx) (err error) {
		d, err = tx.QueueDeployment(t.Context(), p, deploy.Production, "", "api")
		return err
	})
	var h task.Hold
	if err == nil {
		var got task.Task
		got, _, err = s.TakeTask(t.Context(), "test", time.Minute, false)
		h = task.Hold{TaskID: got.ID, Fence: got.Fence}
	}
	if err == nil {
		d, err = s.StartDeployment(t.Context(), h, time.Minute)
	}
	if err == nil {
		d.Versions, d.ManifestKey, d.SnapshotKey = v, "sites/m.json", "snapshots/s.zip"
		err = s.PublishDeployment(t.Context(), h, d)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// W5: the signature covers the raw bytes, and a call without a valid signature changes nothing.
func TestBadSignatureChangesNothing(t *testing.T) {
	s := open(t)
	p := newProject(t, s, "main")
	r := webhook.New(s, [][]byte{current}, time.Now)
	spaced := sign(p, current, "push", "d1", pushTo("main", commit))
	spaced.Body = append(spaced.Body, '\n')
	unsigned := sign(p, current, "push", "d2", pushTo("main", commit))
	unsigned.Header.Del("X-Hub-Signature-256")
	rotated := p
	rotated.HookVersion++
	for name, c := range map[string]webhook.Call{
		"altered body": spaced, "no signature": unsigned,
		"other master":              sign(p, previous, "push", "d3", pushTo("main", commit)),
		"secret of another version": sign(rotated, current, "push", "d4", pushTo("main", commit)),
	} {
		if _, err := r.Receive(t.Context(), c); !fault.Is(err, fault.Unauthenticated) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := tasks(t, s); n != 0 {
		t.Errorf("%d tasks", n)
	}
	unknown := sign(p, current, "push", "d5", pushTo("main", commit))
	unknown.ProjectID = "prj_aaaaaaaaaaaaaaaaaaaaaaaaaa"
	if _, err := r.Receive(t.Context(), unknown); !fault.Is(err, fault.NotFound) {
		t.Errorf("unknown project: %v", err)
	}
}

// W5: a repeated delivery, even a concurrent one, is processed once.
func TestReplayIsIgnored(t *testing.T) {
	s := open(t)
	p := newProject(t, s, "main")
	r := webhook.New(s, [][]byte{current}, time.Now)
	var wg sync.WaitGroup
	results := make([]webhook.Result, 20)
	for i := range results {
		wg.Go(func() {
			res, err := r.Receive(t.Context(), sign(p, current, "push", "same", pushTo("main", commit)))
			if err != nil {
				t.Error(err)
			}
			results[i] = res
		})
	}
	wg.Wait()
	taken := 0
	for _, res := range results {
		if res.StatusID != "" {
			taken++
		} else if res.Reason == "" {
			t.Error("a replay without a reason")
		}
	}
	if taken != 1 {
		t.Errorf("processed %d times", taken)
	}
	// Deliveries without an id are identified by their body.
	for i, want := range []bool{true, false} {
		if res, err := r.Receive(t.Context(), sign(p, current, "push", "",
			pushTo("main", strings.Repeat("d", 40)))); err != nil || (res.StatusID != "") != want {
			t.Errorf("nameless delivery %d: %+v %v", i, res, err)
		}
	}
}

// A push to a product repository publishes nothing; the repository is checked for new commits and tags. Other
// repositories with the same webhook are handled as before. Pull requests of a product repository do not count as the
// project's, although their numbers and branches may be the same.
func TestPushToProductRepositoryPublishesNothing(t *testing.T) {
	s := open(t)
	p := newProject(t, s, "main")
	ctx := t.Context()
	if err := s.Tx(ctx, func(tx *store.Tx) error {
		_, err := tx.CreateProduct(ctx, project.Product{OrganizationID: p.OrganizationID, ProjectID: p.ID, Name: "server",
			Source: project.Source{Repository: "https://git.example.com/a/server"}})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	due := func() int {
		t.Helper()
		list, err := s.TakeDueProducts(ctx, time.Unix(0, 0), 10)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	due()
	r := webhook.New(s, [][]byte{current}, time.Now)
	body := pushTo("main", strings.Repeat("a", 40))
	got, err := r.Receive(ctx, sign(p, current, "push", "1", strings.Replace(body, "a/docs", "a/server", 1)))
	if err != nil || !got.Product || got.StatusID != "" || due() != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = r.Receive(ctx, sign(p, current, "push", "2", body))
	if err != nil || got.Product || got.StatusID == "" || due() != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	job := newJob(t, s, p)
	for i, head := range []string{agentBranch, "topic"} {
		body := strings.ReplaceAll(pullEvent(7, head, "closed", true), "a/docs", "a/server")
		got, err = r.Receive(ctx, sign(p, current, "pull_request", fmt.Sprint("p", i), body))
		if err != nil || got.JobID != "" || got.Preview || !strings.Contains(got.Reason, "product") {
			t.Errorf("%s: %+v, %v", head, got, err)
		}
	}
	if got := notes(t, s, job.ID); len(got) != 0 {
		t.Errorf("the job has %q", got)
	}
}
