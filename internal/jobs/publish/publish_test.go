package publish_test

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

var site = map[string]string{
	"docs.json":        `{"name":"T","theme":"mint","colors":{"primary":"#112233"},"navigation":{"pages":["index","guides/start"]},"redirects":[{"source":"/old","destination":"/guides/start"}]}`,
	"index.mdx":        "---\ntitle: Home\n---\nWelcome.\n",
	"guides/start.mdx": "---\ntitle: Start\n---\nBegin here.\n",
}

func publisher(b *worktest.Env) *publish.Publisher {
	return &publish.Publisher{Store: b.Store, Blob: b.Blob, Source: b.Source, Scratch: b.Scratch,
		SiteURL: func(d string) string { return "https://" + d }, Tool: "test", Lease: worktest.Lease, Now: b.Now}
}

// deployNow queues a deployment, runs it and returns the result.
func deployNow(t *testing.T, b *worktest.Env, p project.Project, kind deploy.Kind) deploy.Deployment {
	t.Helper()
	d := b.QueueDeployment(t, p, kind, "")
	if err := publisher(b).Run(t.Context(), b.Take(t)); err != nil {
		t.Fatal(err)
	}
	d, err := b.Store.FindDeploymentByID(t.Context(), d.ID)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func page(t *testing.T, b *worktest.Env, d deploy.Deployment, path string) string {
	t.Helper()
	m, err := publish.LoadManifest(t.Context(), b.Blob, d.ManifestKey)
	if err != nil {
		t.Fatal(err)
	}
	f, ok := m.Files[path]
	if !ok {
		t.Fatalf("%s is not in the manifest", path)
	}
	r, err := publish.OpenFile(t.Context(), b.Blob, m, f)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	var plain io.Reader = r
	if f.Gzip {
		if plain, err = gzip.NewReader(r); err != nil {
			t.Fatal(err)
		}
	}
	data, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != f.SHA256 || int64(len(data)) != f.Size {
		t.Fatalf("%s is not what the manifest says", path)
	}
	return string(data)
}

func TestFolderIsPublishedAsALiveSite(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
	d := deployNow(t, b, p, deploy.Production)
	if d.Status != deploy.Success || d.PageCount != 2 || !strings.HasPrefix(d.Commit, "tree-") || d.EndedAt == nil ||
		len(d.Logs) == 0 {
		t.Fatalf("%+v", d)
	}
	if live, err := b.Store.FindLive(t.Context(), "docs.example.com"); err != nil || live.DeploymentID != d.ID {
		t.Fatalf("live: %+v %v", live, err)
	}
	if html := page(t, b, d, "guides/start.html"); !strings.Contains(html, "Begin here.") {
		t.Fatalf("page: %s", html)
	}
	if left := b.Keys(t, "work"); len(left) > 0 {
		t.Fatalf("work left: %v", left)
	}
}

// D4: a failed build leaves the old site and shows its diagnostics.
func TestFailedBuildLeavesTheOldSite(t *testing.T) {
	b := worktest.New(t)
	dir := worktest.Write(t, site)
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	good := deployNow(t, b, p, deploy.Production)
	p.Source.Path = t.TempDir() // nothing there
	worktest.Rewrite(t, dir,
		map[string]string{"index.mdx": "---\ntitle: [\n---\n", "guides/start.mdx": "---\ntitle: {\n---\n"})
	bad := deployNow(t, b, p, deploy.Production)
	if bad.Status != deploy.Failure || bad.Error == "" || !bad.Diagnostics.HasErrors() {
		t.Fatalf("%+v", bad)
	}
	if live, err := b.Store.FindLive(t.Context(), "docs.example.com"); err != nil || live.DeploymentID != good.ID {
		t.Fatalf("live: %+v %v", live, err)
	}
	if !strings.Contains(page(t, b, good, "index.html"), "Welcome.") {
		t.Fatal("the old page is gone")
	}
}

func TestOneBrokenPageDoesNotStopTheOthers(t *testing.T) {
	b := worktest.New(t)
	dir := worktest.Write(t, site)
	worktest.Rewrite(t, dir, map[string]string{"guides/start.mdx": "---\ntitle: [\n---\n"})
	d := deployNow(t, b, b.Project(t, "docs.example.com", project.Source{Path: dir}), deploy.Production)
	at := slices.IndexFunc(d.Diagnostics, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
	if d.Status != deploy.Success || at < 0 || d.Diagnostics[at].File != "guides/start.mdx" ||
		d.Diagnostics[at].Line == 0 {
		t.Fatalf("%+v", d)
	}
}

func TestUnchangedFileIsNotStoredAgain(t *testing.T) {
	b := worktest.New(t)
	dir := worktest.Write(t, site)
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	deployNow(t, b, p, deploy.Production)
	before := b.Keys(t, "sites/"+p.ID+"/packs/")
	again := deployNow(t, b, p, deploy.Production)
	if after := b.Keys(t, "sites/"+p.ID+"/packs/"); !slices.Equal(before, after) {
		t.Fatalf("%v became %v", before, after)
	}
	worktest.Rewrite(t, dir, map[string]string{"index.mdx": "---\ntitle: Home\n---\nChanged.\n"})
	changed := deployNow(t, b, p, deploy.Production)
	if after := b.Keys(t, "sites/"+p.ID+"/packs/"); len(after) != len(before)+1 {
		t.Fatalf("%v became %v", before, after)
	}
	if !strings.Contains(page(t, b, changed, "index.html"), "Changed.") ||
		!strings.Contains(page(t, b, changed, "guides/start.html"), "Begin here.") ||
		!strings.Contains(page(t, b, again, "index.html"), "Welcome.") {
		t.Fatal("a page does not match its version")
	}
}

func TestPreviewDoesNotReplaceTheLiveSite(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
	live := deployNow(t, b, p, deploy.Production)
	preview := deployNow(t, b, p, deploy.Preview)
	if preview.Status != deploy.Success || preview.ManifestKey == "" {
		t.Fatalf("%+v", preview)
	}
	if now, err := b.Store.FindLive(t.Context(), "docs.example.com"); err != nil || now.DeploymentID != live.ID {
		t.Fatalf("live: %+v %v", now, err)
	}
}

func TestLocalSourceIsRefusedWhenTheServerForbidsIt(t *testing.T) {
	b := worktest.New(t)
	b.Source.Local = nil
	d := deployNow(t, b, b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)}),
		deploy.Production)
	if d.Status != deploy.Failure || !strings.Contains(d.Error, "sources.local") {
		t.Fatalf("%+v", d)
	}
}

func TestBuiltInDocsNeedNoPermission(t *testing.T) {
	b := worktest.New(t)
	b.Source.Local = nil
	p := b.Project(t, "docs.localhost", project.Source{Repository: snapshot.BuiltIn})
	d := deployNow(t, b, p, deploy.Production)
	if d.Status != deploy.Success {
		t.Fatalf("%+v", d)
	}
	if head, err := b.Source.Head(t.Context(), p); err != nil || head != d.Commit {
		t.Fatalf("head %q, published %q: %v", head, d.Commit, err)
	}
}

// A canceled or stopping run returns its context's error and does not fail the deployment by itself.
func TestStoppedRunReportsTheReason(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
	d := b.QueueDeployment(t, p, deploy.Production, "")
	ctx, stop := context.WithCancel(t.Context())
	h := b.Take(t)
	stop()
	if err := publisher(b).Run(ctx, h); err == nil {
		t.Fatal("no error")
	}
	if d, err := b.Store.FindDeploymentByID(t.Context(), d.ID); err != nil || d.Status.Ended() {
		t.Fatalf("%+v %v", d, err)
	}
}

// Deleting a project while its deployment runs leaves no task that is retried again and again.
func TestDeletedProjectsDeploymentEndsItsTask(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
	b.QueueDeployment(t, p, deploy.Production, "")
	h := b.Take(t)
	if err := b.Store.Tx(t.Context(),
		func(tx *store.Tx) error { return tx.DeleteProject(t.Context(), p.OrganizationID, p.ID) }); err != nil {
		t.Fatal(err)
	}
	if err := publisher(b).Run(t.Context(), h); err == nil {
		t.Fatal("a deleted deployment was published")
	}
	if err := publisher(b).Fail(t.Context(), h, task.Failure{Sentence: task.Deploy.Canceled()}); err != nil {
		t.Fatal(err)
	}
	if queued, running, err := b.Store.CountTasks(t.Context()); queued+running != 0 || err != nil {
		t.Fatalf("%d tasks wait and %d run: %v", queued, running, err)
	}
}
