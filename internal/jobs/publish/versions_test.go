package publish_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// repository is a docs folder in Git whose tags v* and branches release/* are versions.
type repository struct{ dir string }

func versioned(t *testing.T) repository {
	t.Helper()
	files := map[string]string{}
	for name, text := range site {
		files[name] = text
	}
	files["docs.json"] = strings.Replace(site["docs.json"], `"navigation"`,
		`"gitVersions":{"tags":["v*"],"branches":["release/(*)"]},"navigation"`, 1)
	files["logo.svg"] = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"
	r := repository{worktest.Write(t, files)}
	testgit.Run(t, r.dir, "init", "-q", "-b", "main")
	r.commit(t, nil)
	return r
}

// commit writes files and commits them on the current branch.
func (r repository) commit(t *testing.T, files map[string]string, tags ...string) {
	t.Helper()
	worktest.Rewrite(t, r.dir, files)
	testgit.Run(t, r.dir, "add", "-A")
	testgit.Run(t, r.dir, "commit", "-q", "--allow-empty", "-m", "Change")
	for _, tag := range tags {
		testgit.Run(t, r.dir, "tag", tag)
	}
}

func (r repository) project(t *testing.T, b *worktest.Env) project.Project {
	t.Helper()
	return b.Project(t, "docs.example.com", project.Source{Repository: "file://" + r.dir, Branch: "main"})
}

// live publishes, and returns the versions by name.
func live(t *testing.T, b *worktest.Env, p project.Project) (deploy.Deployment, map[string]deploy.Version) {
	t.Helper()
	p, err := b.Store.FindProject(t.Context(), p.OrganizationID, p.ID)
	check(t, err)
	d := deployNow(t, b, p, deploy.Production)
	if d.Status != deploy.Success {
		t.Fatalf("%s: %+v", d.Error, d.Diagnostics)
	}
	m, err := publish.LoadManifest(t.Context(), b.Blob, d.ManifestKey)
	check(t, err)
	out := map[string]deploy.Version{}
	if m.Versions != nil {
		for _, v := range m.Versions.List {
			out[v.Name] = v
		}
	}
	return d, out
}

func text(s string) map[string]string {
	return map[string]string{"index.mdx": "---\ntitle: Home\n---\n" + s + "\n"}
}

func TestPushBuildsOnlyTheVersionThatMoved(t *testing.T) {
	b, r := worktest.New(t), versioned(t)
	r.commit(t, text("One"), "v1.0")
	testgit.Run(t, r.dir, "branch", "release/1.x")
	r.commit(t, nil, "v1.1") // equal docs
	r.commit(t, text("Two"), "v2.0")
	p := r.project(t, b)
	_, before := live(t, b, p)
	if len(before) != 4 || before["v2.0"].Manifest != "" || before["v1.0"].Manifest == "" {
		t.Fatalf("%+v", before)
	}
	if before["v1.0"].Manifest != before["v1.1"].Manifest || before["v1.0"].Manifest != before["1.x"].Manifest {
		t.Error("versions with equal docs are stored twice")
	}
	testgit.Run(t, r.dir, "checkout", "-q", "release/1.x")
	r.commit(t, text("One, corrected"))
	d, after := live(t, b, p)
	if after["1.x"].Manifest == before["1.x"].Manifest || after["v1.0"].Manifest != before["v1.0"].Manifest {
		t.Errorf("before %+v\nafter %+v", before, after)
	}
	var built []string
	for _, l := range d.Logs {
		if name, ok := strings.CutPrefix(l.Message, "Building version "); ok {
			built = append(built, name)
		}
	}
	if !slices.Equal(built, []string{"1.x."}) {
		t.Errorf("built %v", built)
	}
	m, err := publish.LoadManifest(t.Context(), b.Blob, after["1.x"].Manifest)
	check(t, err)
	old, err := publish.LoadManifest(t.Context(), b.Blob, before["1.x"].Manifest)
	check(t, err)
	for _, name := range []string{"logo.svg", "guides/start.html"} {
		at, was := m.Files[name], old.Files[name]
		if m.Packs[at.Pack] != old.Packs[was.Pack] || at.Offset != was.Offset {
			t.Errorf("%s is the same file as before, and was stored again", name)
		}
	}
}

func TestVersionThatDoesNotBuildKeepsItsLastState(t *testing.T) {
	b, r := worktest.New(t), versioned(t)
	r.commit(t, text("One"), "v1.0")
	testgit.Run(t, r.dir, "checkout", "-q", "-b", "release/0.9")
	r.commit(t, text("Good"))
	p := r.project(t, b)
	_, before := live(t, b, p)
	r.commit(t, map[string]string{"docs.json": "{"})
	d, after := live(t, b, p)
	was, is := before["0.9"], after["0.9"]
	if is.Manifest != was.Manifest || is.Built != was.Commit || is.Commit == was.Commit || is.Error == "" {
		t.Errorf("was %+v\nis %+v", was, is)
	}
	if v := d.Versions.Find("0.9"); v == nil || v.Error == "" || v.Manifest != "" {
		t.Errorf("the deployment says %+v", v)
	}
	if !slices.ContainsFunc(d.Logs, func(l deploy.LogLine) bool {
		return strings.HasPrefix(l.Message, "Version 0.9 was not updated: ")
	}) {
		t.Errorf("%+v", d.Logs)
	}
	// it is not tried again without a change
	d, _ = live(t, b, p)
	if slices.ContainsFunc(d.Logs, func(l deploy.LogLine) bool { return l.Message == "Building version 0.9." }) {
		t.Error("a version that cannot be built was built again")
	}
	r.commit(t, map[string]string{"docs.json": site["docs.json"]})
	if _, after = live(t, b, p); after["0.9"].Error != "" || after["0.9"].Built != after["0.9"].Commit {
		t.Errorf("after the correction: %+v", after["0.9"])
	}
}

func TestNewReleaseBecomesTheRootAndADeletedTagVanishes(t *testing.T) {
	b, r := worktest.New(t), versioned(t)
	r.commit(t, text("One"), "v1.0")
	p := r.project(t, b)
	d, versions := live(t, b, p)
	if len(versions) != 1 || !strings.Contains(page(t, b, d, "index.html"), "One") {
		t.Fatalf("%+v", versions)
	}
	r.commit(t, text("Two"), "v2.0", "v3.0-rc.1")
	r.commit(t, text("Not released"))
	d, versions = live(t, b, p)
	if d.Versions.Default != "v2.0" || versions["v1.0"].Manifest == "" || !versions["v3.0-rc.1"].Prerelease ||
		!strings.Contains(page(t, b, d, "index.html"), "Two") || d.Commit != versions["v2.0"].Commit {
		t.Fatalf("%+v", d.Versions)
	}
	testgit.Run(t, r.dir, "tag", "-d", "v1.0")
	if _, versions = live(t, b, p); len(versions) != 2 || versions["v1.0"].Name != "" {
		t.Errorf("%+v", versions)
	}
}

// Everything that versions refer to stays when the rest is swept: Needs lists it.
func TestNeedsListsTheFilesOfVersions(t *testing.T) {
	b, r := worktest.New(t), versioned(t)
	r.commit(t, text("One"), "v1.0")
	r.commit(t, text("Two"), "v2.0")
	d, versions := live(t, b, r.project(t, b))
	m, err := publish.LoadManifest(t.Context(), b.Blob, d.ManifestKey)
	check(t, err)
	needs, err := publish.Needs(t.Context(), b.Blob, m)
	check(t, err)
	for _, key := range b.Keys(t, "sites/") {
		if !slices.ContainsFunc(append(needs, d.ManifestKey), func(n string) bool { return strings.HasSuffix(key, n) }) {
			t.Errorf("%s is stored and not needed", key)
		}
	}
	if !slices.Contains(needs, versions["v1.0"].Manifest) || len(versions["v1.0"].Blobs) == 0 {
		t.Errorf("%v", needs)
	}
}

func TestPollSeesNewTagsAndMovedBranches(t *testing.T) {
	b, r := worktest.New(t), versioned(t)
	r.commit(t, text("One"), "v1.0")
	p := r.project(t, b)
	live(t, b, p)
	poller := &publish.Poller{Store: b.Store, Source: b.Source, Every: 5 * time.Minute, Now: b.Now,
		Logger: slog.New(slog.DiscardHandler)}
	queued := func() bool {
		t.Helper()
		b.Advance(6 * time.Minute)
		check(t, poller.Poll(t.Context()))
		waiting, _, err := b.Store.CountTasks(t.Context())
		check(t, err)
		return waiting == 1
	}
	publishQueued := func() {
		t.Helper()
		check(t, publisher(b).Run(t.Context(), b.Take(t)))
	}
	if queued() {
		t.Fatal("nothing moved, and an update was queued")
	}
	testgit.Run(t, r.dir, "branch", "feature/x")
	if queued() {
		t.Fatal("a branch that is no version queued an update")
	}
	for i, change := range []func(){
		func() { testgit.Run(t, r.dir, "tag", "v1.1") },
		func() { testgit.Run(t, r.dir, "branch", "release/1.1") },
		func() { r.commit(t, text("Newer")) },
		func() { testgit.Run(t, r.dir, "tag", "-d", "v1.1") },
	} {
		change()
		if !queued() {
			t.Fatalf("change %d queued no update", i)
		}
		publishQueued()
		if queued() {
			t.Fatalf("change %d was published, and an update was queued", i)
		}
	}
}

// Features build the live site again: the same versions at the same commits, whatever was pushed since.
func TestFeaturesBuildTheLiveVersionsAgain(t *testing.T) {
	b, r := worktest.New(t), versioned(t)
	r.commit(t, text("One"), "v1.0")
	r.commit(t, text("Two"), "v2.0")
	p := r.project(t, b)
	_, before := live(t, b, p)
	r.commit(t, text("Three"), "v3.0")
	p, err := b.Store.FindProject(t.Context(), p.OrganizationID, p.ID)
	check(t, err)
	var d deploy.Deployment
	check(t, b.Store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		d, err = tx.QueueDeployment(t.Context(), p, deploy.Production, "", deploy.Features)
		return err
	}))
	pub := publisher(b)
	pub.Offers.Search = true
	check(t, pub.Run(t.Context(), b.Take(t)))
	d, err = b.Store.FindDeploymentByID(t.Context(), d.ID)
	check(t, err)
	m, err := publish.LoadManifest(t.Context(), b.Blob, d.ManifestKey)
	check(t, err)
	v := m.Versions.Find("v1.0")
	if d.Status != deploy.Success || len(m.Versions.List) != 2 || m.Versions.Default != "v2.0" || v == nil ||
		v.Commit != before["v1.0"].Commit || v.Manifest == before["v1.0"].Manifest {
		t.Errorf("%s %s\n%+v", d.Status, d.Error, m.Versions)
	}
	if !strings.Contains(page(t, b, d, "index.html"), "Two") {
		t.Error("another version is at the root")
	}
}

func TestVersionsOfAFolderAreReported(t *testing.T) {
	b, r := worktest.New(t), versioned(t)
	d := deployNow(t, b, b.Project(t, "docs.example.com", project.Source{Path: r.dir}), deploy.Production)
	if d.Status != deploy.Success || d.Versions != nil || !strings.Contains(fmt.Sprint(d.Diagnostics), "not a Git repository") {
		t.Errorf("%s %+v %+v", d.Status, d.Versions, d.Diagnostics)
	}
}
