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
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	docs "github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// repository is a docs folder in Git; its tags v* and branches release/* are versions.
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

// live publishes a project, and returns the deployment and its versions by name.
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

// Everything that versions refer to survives a sweep: Needs lists it.
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

// A project's branch can be a tag, including an annotated one. It counts as moved when its commit changes.
func TestPollOfATagSeesWhetherItMoved(t *testing.T) {
	for name, rules := range map[string]string{"with versions": `"gitVersions":{"tags":["v*"]},`, "without versions": ""} {
		t.Run(name, func(t *testing.T) {
			b, r := worktest.New(t), versioned(t)
			r.commit(t, map[string]string{"docs.json": strings.Replace(site["docs.json"], `"navigation"`, rules+`"navigation"`, 1)})
			testgit.Run(t, r.dir, "tag", "-a", "-m", "One", "v1.0")
			p := b.Project(t, "docs.example.com", project.Source{Repository: "file://" + r.dir, Branch: "refs/tags/v1.0"})
			live(t, b, p)
			poller := &publish.Poller{Store: b.Store, Source: b.Source, Every: 5 * time.Minute, Now: b.Now,
				Logger: slog.New(slog.DiscardHandler)}
			waiting := func() int64 {
				t.Helper()
				b.Advance(6 * time.Minute)
				check(t, poller.Poll(t.Context()))
				n, _, err := b.Store.CountTasks(t.Context())
				check(t, err)
				return int64(n)
			}
			if n := waiting(); n != 0 {
				t.Errorf("nothing moved, and %d updates were queued", n)
			}
			r.commit(t, text("Moved"))
			testgit.Run(t, r.dir, "tag", "-f", "-a", "-m", "One again", "v1.0")
			if n := waiting(); n != 1 {
				t.Errorf("the tag moved, and %d updates were queued", n)
			}
		})
	}
}

// Changed features rebuild the live site: the same versions at the same commits, whatever was pushed since.
func TestFeaturesBuildTheLiveVersionsAgain(t *testing.T) {
	b, r := worktest.New(t), versioned(t)
	r.commit(t, text("One"), "v1.0")
	r.commit(t, text("Two"), "v2.0")
	p := r.project(t, b)
	_, before := live(t, b, p)
	r.commit(t, text("Three"), "v3.0")
	pub := publisher(b)
	pub.Offers.Search = true
	d := rebuilt(t, b, p, deploy.Features, pub)
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

// Pages of a branch link to their source on that branch. Pages of a tag have no edit links, also after a rebuild.
func TestEditLinksLeadToTheBranchOfTheVersion(t *testing.T) {
	b, r := worktest.New(t), versioned(t)
	r.commit(t, map[string]string{"docs.json": strings.Replace(site["docs.json"], `"navigation"`,
		`"feedback":{"suggestEdit":true},"gitVersions":{"tags":["v*"],"branches":["release/(*)"]},"navigation"`, 1)}, "v1.0")
	testgit.Run(t, r.dir, "branch", "release/0.9")
	r.commit(t, text("Two"), "v2.0")
	p := r.project(t, b)
	pub := publisher(b)
	pub.Repository = func(p project.Project) docs.Repository {
		return docs.Repository{Web: "https://git.example.com", Branch: p.Source.Branch, EditAt: "/edit{file}"}
	}
	for _, why := range []string{"poll", deploy.Features} {
		pub.Offers.Search = why == deploy.Features // so that versions are built again
		d := rebuilt(t, b, p, why, pub)
		m, err := publish.LoadManifest(t.Context(), b.Blob, d.ManifestKey)
		check(t, err)
		for name, want := range map[string]string{"v2.0": "", "v1.0": "", "0.9": "https://git.example.com/edit/release/0.9/"} {
			of := d
			if name != "v2.0" {
				of.ManifestKey = m.Versions.Find(name).Manifest
			}
			html := page(t, b, of, "index.html")
			if strings.Contains(html, "https://git.example.com/edit/") != (want != "") || !strings.Contains(html, want) {
				t.Errorf("%s: %s has another link to edit it than %q", why, name, want)
			}
		}
	}
}

// If the manifest is lost, the site must not lose its versions.
func TestRebuildKeepsVersionsWhoseManifestIsUnreadable(t *testing.T) {
	b, r := worktest.New(t), versioned(t)
	r.commit(t, text("One"), "v1.0")
	r.commit(t, text("Two"), "v2.0")
	p := r.project(t, b)
	before, _ := live(t, b, p)
	_, err := b.Blob.Put(t.Context(), before.ManifestKey, strings.NewReader("{"))
	check(t, err)
	d := rebuilt(t, b, p, deploy.Features, publisher(b))
	m, err := publish.LoadManifest(t.Context(), b.Blob, d.ManifestKey)
	check(t, err)
	v := m.Versions.Find("v1.0")
	if d.Status != deploy.Success || v == nil || v.Manifest == "" || m.Versions.Default != "v2.0" || len(m.Versions.List) != 2 {
		t.Errorf("%s %s\n%+v", d.Status, d.Error, m.Versions)
	}
}

// A reader in a group rebuilds only the versions that use groups.
func TestNewViewBuildsOnlyVersionsWithGroups(t *testing.T) {
	b, r := worktest.New(t), versioned(t)
	r.commit(t, text("One"), "v1.0")
	r.commit(t, map[string]string{"index.mdx": "---\ntitle: Home\ngroups: [staff]\n---\nOne, for some.\n"}, "v1.1")
	r.commit(t, text("Two"), "v2.0")
	p := r.project(t, b)
	live(t, b, p)
	check(t, b.Store.Tx(t.Context(), func(tx *store.Tx) error { return tx.AskView(t.Context(), p.ID, reader.New("staff")) }))
	d := rebuilt(t, b, p, deploy.Views, publisher(b))
	var built []string
	for _, l := range d.Logs {
		if name, ok := strings.CutPrefix(l.Message, "Building version "); ok {
			built = append(built, name)
		}
	}
	if d.Status != deploy.Success || !slices.Equal(built, []string{"v1.1."}) {
		t.Errorf("%s %s built %v", d.Status, d.Error, built)
	}
}

// rebuilt rebuilds the live site.
func rebuilt(t *testing.T, b *worktest.Env, p project.Project, why string, with *publish.Publisher) deploy.Deployment {
	t.Helper()
	p, err := b.Store.FindProject(t.Context(), p.OrganizationID, p.ID)
	check(t, err)
	var d deploy.Deployment
	check(t, b.Store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		d, err = tx.QueueDeployment(t.Context(), p, deploy.Production, "", why)
		return err
	}))
	check(t, with.Run(t.Context(), b.Take(t)))
	d, err = b.Store.FindDeploymentByID(t.Context(), d.ID)
	check(t, err)
	return d
}

func TestVersionsOfAFolderAreReported(t *testing.T) {
	b, r := worktest.New(t), versioned(t)
	d := deployNow(t, b, b.Project(t, "docs.example.com", project.Source{Path: r.dir}), deploy.Production)
	if d.Status != deploy.Success || d.Versions != nil || !strings.Contains(fmt.Sprint(d.Diagnostics), "not a Git repository") {
		t.Errorf("%s %+v %+v", d.Status, d.Versions, d.Diagnostics)
	}
}
