package pullreport_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/pullpreview"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/jobs/pullreport"
	"github.com/lectern-docs/lectern/internal/jobs/worker"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/forge/github"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/storetest"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

var commit = strings.Repeat("c3", 20)

// rig is a worker that reports previews from a real database to a code host.
type rig struct {
	*testing.T
	store   *store.Store
	clock   *worktest.Clock
	pool    *worker.Pool
	project project.Project
	host    *github.Host
	seen    *forgetest.Rig
	number  int64
	down    error // returned instead of opening the host
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{T: t, clock: worktest.NewClock(time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC))}
	seen, key := forgetest.GitHub(t)
	r.seen = seen
	r.host = github.New(github.Options{API: seen.URL + "/api/v3", Owner: "acme", Name: "docs", HTTP: forgetest.Client(t),
		Now: time.Now, Token: func(context.Context) (string, error) { return key, nil }})
	seen.Branch(t, "better")
	opened, err := r.host.Open(t.Context(), pull.Request{Title: "Better", Head: "better", Base: "main"})
	r.ok(err)
	r.number = opened.Number
	r.store, err = store.Open(t.Context(), store.Options{URL: storetest.SQLite(t, filepath.Join(t.TempDir(), "db")),
		Now: r.clock.Now, IDs: id.Source{Rand: rand.Reader},
		Wake: func(context.Context, any, task.Lane) error { return nil }})
	r.ok(err)
	t.Cleanup(func() { _ = r.store.Close() })
	r.ok(r.store.Tx(t.Context(), func(tx *store.Tx) error {
		o, err := tx.CreateOrganization(t.Context(), "a", account.PlanFree)
		if err != nil {
			return err
		}
		r.project, err = tx.CreateProject(t.Context(), project.Project{OrganizationID: o.ID, Name: "docs",
			Domains: []string{"docs.example"}, DocsFolder: "docs",
			Source: project.Source{Repository: "https://git.example.com/acme/docs.git"}})
		return err
	}))
	sender := &pullreport.Sender{Store: r.store, Random: func() float64 { return 1 },
		Open:       func(context.Context, project.Project) (pull.Reporter, error) { return r.host, r.down },
		PreviewURL: func(d string) string { return "https://" + d + ".preview.example" },
		BuildURL:   func(d string) string { return "https://lectern.example/dashboard/deployments/" + d }}
	r.pool = &worker.Pool{Tasks: r.store, Owner: "w", Lease: time.Minute, Heartbeat: time.Second, Deliveries: 1, Now: r.clock.Now,
		Logger: slog.New(slog.DiscardHandler), Handlers: map[task.Kind]worker.Handler{task.Report: sender},
		Observer: func(ctx context.Context, _, _ string) (context.Context, func(string, error)) {
			return ctx, func(string, error) {}
		}}
	return r
}

func (r *rig) ok(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// push reports a push to the pull request.
func (r *rig) push() {
	r.Helper()
	r.ok(r.store.Tx(r.Context(), func(tx *store.Tx) error {
		_, err := tx.OpenPullPreview(r.Context(), r.project, pullpreview.Preview{Number: r.number, Ref: "refs/pull/1/head",
			URL: "https://git.example.com/acme/docs/pull/1", Commit: commit})
		return err
	}))
}

// build completes the build of the preview.
func (r *rig) build(with func(*deploy.Deployment)) {
	r.Helper()
	k, ok, err := r.store.TakeTask(r.Context(), "w", time.Minute, false, task.Deploy)
	if err != nil || !ok {
		r.Fatal(ok, err)
	}
	h := task.Hold{TaskID: k.ID, Fence: k.Fence}
	d, err := r.store.StartDeployment(r.Context(), h, time.Minute)
	r.ok(err)
	d.Commit = commit
	with(&d)
	if d.Error != "" {
		r.ok(r.store.FailDeployment(r.Context(), h, d))
		return
	}
	d.ManifestKey = "m"
	r.ok(r.store.PublishDeployment(r.Context(), h, d))
}

func (r *rig) work() { r.Helper(); r.ok(r.pool.Work(r.Context(), task.Deliveries)) }

// statusName returns the name of the project's commit status.
func (r *rig) statusName() string { return "lectern/docs-" + r.project.ID[len(r.project.ID)-6:] }

// shown returns what people see: the status and the only comment.
func (r *rig) shown() (pull.Status, string) {
	r.Helper()
	list, err := r.host.Comments(r.Context(), r.number)
	if err != nil || len(list) != 1 {
		r.Fatalf("comments %+v, %v", list, err)
	}
	return r.seen.Status(r, commit, r.statusName()), list[0].Body
}

// uncommented fails the test if there is a comment.
func (r *rig) uncommented() {
	r.Helper()
	if list, err := r.host.Comments(r.Context(), r.number); err != nil || len(list) != 0 {
		r.Errorf("comments %+v, %v", list, err)
	}
}

func (r *rig) preview() pullpreview.Preview {
	r.Helper()
	v, err := r.store.FindPullPreview(r.Context(), r.project.ID, r.number)
	r.ok(err)
	return v
}

func TestPreviewStatesAreReportedInOneComment(t *testing.T) {
	r := newRig(t)
	r.push()
	r.work()
	if s := r.seen.Status(r, commit, r.statusName()); s.State != pull.Pending || !strings.Contains(s.URL, "/dashboard/deployments/dep_") {
		t.Errorf("building: %+v", s)
	}
	r.uncommented() // the first comment that people read, and get by email, is the result
	r.build(func(d *deploy.Deployment) {
		d.PageCount = 3
		d.Changed = []deploy.ChangedPage{{Path: "index", How: deploy.PageChanged, Diff: true}, {Path: "a b/(c)", How: deploy.PageAdded},
			{Path: "old", How: deploy.PageRemoved}}
		d.Diagnostics = diag.List{{Severity: diag.Warning, File: "index.mdx", Line: 4, Message: "A link is broken."}}
	})
	r.work()
	s, text := r.shown()
	if s.State != pull.Succeeded || !strings.HasSuffix(s.URL, ".preview.example") {
		t.Errorf("ready: %+v", s)
	}
	for _, want := range []string{"preview of `docs`: ready", "[`index`](" + s.URL + "/) · [changes](" + s.URL + "/_lectern/changes/index)\n", "[`a b/(c)`](" + s.URL + "/a%20b/%28c%29) (new)",
		"- `old` (removed)", "- Warning `docs/index.mdx:4`: `A link is broken.`"} {
		if !strings.Contains(text, want) {
			t.Errorf("the comment lacks %q: %s", want, text)
		}
	}
	r.push()
	r.work()
	if s, text := r.shown(); s.State != pull.Pending || !strings.Contains(text, "preview of `docs`: building") {
		t.Errorf("building again: %+v %s", s, text)
	}
	r.build(func(d *deploy.Deployment) {
		d.Error = "The site does not build."
		for range 50 {
			d.Diagnostics = append(d.Diagnostics, diag.Diagnostic{Severity: diag.Error, File: "a.mdx", Line: 1, Message: "No."})
		}
	})
	r.work()
	if s, text := r.shown(); s.State != pull.Failed || !strings.Contains(text, "preview of `docs`: failed") ||
		!strings.Contains(text, "and 30 more") || strings.Count(text, "docs/a.mdx:1") != 20 {
		t.Errorf("failed: %+v %s", s, text)
	}
	r.ok(r.store.Tx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ClosePullPreview(t.Context(), r.project, r.number, pullpreview.Merged, "")
		return err
	}))
	r.work()
	if s, text := r.shown(); s.State != pull.Failed || !strings.Contains(s.Text, "merged") ||
		!strings.Contains(text, "preview of `docs`: removed") {
		t.Errorf("merged: %+v %s", s, text)
	}
}

func TestLostAddressesFailStatusAndSuggestRedirect(t *testing.T) {
	r := newRig(t)
	r.push()
	hint := `Add to "redirects" in docs.json: { "source": "/a/:slug*", "destination": "/b/:slug*" }`
	lost := func(file string) diag.Diagnostic {
		return diag.Diagnostic{Severity: diag.Error, Code: deploy.LostAddress, File: "docs.json", Line: 1, Hint: hint,
			Message: "The address of " + file + " was published."}
	}
	r.build(func(d *deploy.Deployment) {
		d.Diagnostics = diag.List{{Severity: diag.Error, File: "old.mdx", Message: "The base has it too."}}
		d.Changed = []deploy.ChangedPage{{Path: "b/x", How: deploy.PageMoved, From: "a/x"}}
		d.Compared = &deploy.Comparison{Base: strings.Repeat("b4", 20), Lost: 2, Errors: 2, Warnings: 30, Known: 1,
			Findings: diag.List{lost("a/x.mdx"), lost("a/y.mdx")}}
	})
	r.work()
	s, text := r.shown()
	if s.State != pull.Failed || !strings.Contains(s.Text, "Addresses that readers would lose: 2.") {
		t.Errorf("%+v", s)
	}
	for _, want := range []string{"Compared with `b4b4b4b4b4b4`", "(moved from `a/x`)", "readers would lose: 2.**",
		"New errors: 2, new warnings: 30", "- and 30 more", "too, not shown: 1", "  - `" + hint + "`\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the comment lacks %q: %s", want, text)
		}
	}
	if strings.Contains(text, "old.mdx") || strings.Count(text, hint) != 1 {
		t.Errorf("a known finding, or the same rule twice: %s", text)
	}
	r.push()
	r.build(func(d *deploy.Deployment) { d.Compared = &deploy.Comparison{Base: strings.Repeat("b4", 20), Known: 1} })
	r.work()
	if s, text := r.shown(); s.State != pull.Succeeded || strings.Contains(text, "lose") || !strings.Contains(text, "No page differs from its base") {
		t.Errorf("after the redirect was added: %+v %s", s, text)
	}
}

func TestUnchangedSiteGetsStatusWithoutComment(t *testing.T) {
	r := newRig(t)
	skip := func() {
		k, ok, err := r.store.TakeTask(t.Context(), "w", time.Minute, false, task.Deploy)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		r.ok(r.store.SkipPullPreview(t.Context(), task.Hold{TaskID: k.ID, Fence: k.Fence}, pullpreview.Unchanged))
	}
	r.push()
	skip()
	r.work()
	if s := r.seen.Status(r, commit, r.statusName()); s.State != pull.Succeeded || !strings.Contains(s.Text, "does not change") {
		t.Errorf("%+v", s)
	}
	r.uncommented()
	r.push()
	r.build(func(*deploy.Deployment) {})
	r.work()
	r.push()
	skip()
	r.work()
	if s, text := r.shown(); s.State != pull.Succeeded || !strings.Contains(text, "does not change") {
		t.Errorf("after a comment was created: %+v %s", s, text)
	}
}

func TestAuthorTextIsShownAsCode(t *testing.T) {
	r := newRig(t)
	r.push()
	const hostile = "@everyone <img src=x onerror=alert(1)> [free](https://evil.example) ``` `\n\n# owned\n/close"
	r.build(func(d *deploy.Deployment) {
		d.Changed = []deploy.ChangedPage{{Path: "x](https://evil.example) @everyone `", How: deploy.PageAdded}}
		d.Diagnostics = diag.List{{Severity: diag.Error, File: hostile, Line: 1, Message: hostile}}
	})
	r.work()
	s, text := r.shown()
	if s.State != pull.Failed {
		t.Errorf("a page with an error: %+v", s)
	}
	if strings.Contains(text, "@everyone") || strings.Contains(text, "\n#") || strings.Contains(text, "\n/close") {
		t.Errorf("the comment mentions people or contains lines from the author: %s", text)
	}
	if !strings.Contains(text, "````@\u200beveryone <img src=x onerror=alert(1)> [free](https://evil.example) ``` ` # owned /close````") {
		t.Errorf("the message escapes its code span: %s", text)
	}
	if strings.Contains(text, "](https://evil.example) @\u200beveryone `](") {
		t.Errorf("a page's name ends its link: %s", text)
	}
}

func TestEachProjectHasItsOwnStatusAndComment(t *testing.T) {
	r := newRig(t)
	first := r.project
	r.push()
	r.build(func(d *deploy.Deployment) { d.PageCount = 1 })
	r.work()
	before, _ := r.shown()
	r.ok(r.store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		r.project, err = tx.CreateProject(t.Context(), project.Project{OrganizationID: first.OrganizationID, Name: first.Name,
			Domains: []string{"other.example"}, DocsFolder: "other", Source: first.Source})
		return err
	}))
	r.push()
	r.build(func(d *deploy.Deployment) { d.Error = "The site has no pages." })
	r.work()
	list, err := r.host.Comments(t.Context(), r.number)
	if err != nil || len(list) != 2 || !strings.Contains(list[0].Body, "of `docs`: ready") || !strings.Contains(list[1].Body, "of `docs`: failed") {
		t.Errorf("%+v, %v", list, err)
	}
	if s := r.seen.Status(r, commit, r.statusName()); s.State != pull.Failed {
		t.Errorf("the second project's status: %+v", s)
	}
	r.project = first
	if s := r.seen.Status(r, commit, r.statusName()); s != before || s.State != pull.Succeeded {
		t.Errorf("the first project's status: %+v, then %+v", before, s)
	}
}

func TestReportIsRetriedWhileHostIsDown(t *testing.T) {
	r := newRig(t)
	r.down = fault.New(fault.Unavailable, "forge_busy", "Away.")
	r.push()
	for range 3 {
		r.work()
		r.clock.Advance(time.Hour)
	}
	if v := r.preview(); v.Attempts != 3 || v.Sent != 0 || v.Error != "Away." {
		t.Errorf("while the host is down: %+v", v)
	}
	r.build(func(*deploy.Deployment) {}) // nothing waits for the host
	r.down = nil
	r.work()
	if s, _ := r.shown(); s.State != pull.Succeeded || r.preview().Sent != r.preview().Wanted || r.preview().Error != "" {
		t.Errorf("after the host came back: %+v, %+v", s, r.preview())
	}
}

func TestRejectedReportIsNotRetriedUntilNextPush(t *testing.T) {
	r := newRig(t)
	r.down = fault.New(fault.Invalid, "missing_credential", "No credential.")
	r.push()
	r.work()
	r.clock.Advance(time.Hour)
	r.down = nil
	r.work()
	if v := r.preview(); v.Error != "No credential." || v.CommentID != "" {
		t.Errorf("refused: %+v", v)
	}
	events, err := r.store.ListEvents(t.Context(), r.project.OrganizationID, 0, 10)
	if err != nil || len(events) == 0 || events[len(events)-1].Action != "preview.report_fail" {
		t.Errorf("events %+v, %v", events, err)
	}
	r.push()
	r.work()
	if s := r.seen.Status(r, commit, r.statusName()); s.State != pull.Pending || r.preview().Error != "" {
		t.Errorf("after the next push: %+v", s)
	}
}
