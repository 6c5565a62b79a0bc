package publish_test

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/build/buildcache"
	"github.com/lectern-docs/lectern/internal/build/codesample"
	"github.com/lectern-docs/lectern/internal/build/prose"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/pullpreview"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/script/sandbox"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
	"github.com/lectern-docs/lectern/internal/testkit/testserver"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// pulls is a repository with pull requests, and a server with a build cache.
type pulls struct {
	*testing.T
	env     *worktest.Env
	dir     string
	project project.Project
	cache   *buildcache.Store
	samples codesample.Options
	prose   prose.Options
}

func newPulls(t *testing.T, docs map[string]string) *pulls {
	t.Helper()
	files := map[string]string{"main.go": "package main\n"}
	for name, text := range docs {
		files["docs/"+name] = text
	}
	s := &pulls{T: t, env: worktest.New(t), dir: worktest.Write(t, files)}
	s.git("init", "-q", "-b", "main")
	s.git("config", "uploadpack.allowFilter", "true")
	s.commit("main", nil)
	s.project = s.env.Project(t, "docs.example.com", project.Source{Repository: "file://" + s.dir, Branch: "main"})
	err := s.env.Store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		s.project.DocsFolder = "docs"
		s.project, err = tx.UpdateProject(t.Context(), s.project)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.cache, err = buildcache.Open(filepath.Join(t.TempDir(), "cache"), buildcache.Options{Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.cache.Close() })
	return s
}

func (s *pulls) git(args ...string) {
	s.Helper()
	testgit.Run(s.T, s.dir, append([]string{"-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...)
}

// commit writes files, removing those whose text is "", and points a ref to the commit.
func (s *pulls) commit(ref string, files map[string]string) {
	s.Helper()
	for name, text := range files {
		if text == "" {
			s.git("rm", "-q", "--cached", name)
			s.git("clean", "-q", "-f", name)
			delete(files, name)
		}
	}
	worktest.Rewrite(s.T, s.dir, files)
	s.git("add", "-A")
	s.git("commit", "-q", "--allow-empty", "-m", "Change")
	if strings.HasPrefix(ref, "refs/pull/") {
		s.git("update-ref", ref, "HEAD")
	}
}

// pull opens a pull request, or pushes to it, and builds its preview.
func (s *pulls) pull(ref string) pullpreview.Preview {
	s.Helper()
	var v pullpreview.Preview
	err := s.env.Store.Tx(s.Context(), func(tx *store.Tx) (err error) {
		v, err = tx.OpenPullPreview(s.Context(), s.project, pullpreview.Preview{Number: int64(len(ref)), Ref: ref, Base: "main"})
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	made := publisher(s.env)
	made.Cache, made.Samples, made.Prose, made.MaxPulls = s.cache, s.samples, s.prose, 1
	if err := made.Run(s.Context(), takeDeploy(s.T, s.env)); err != nil {
		s.Fatal(err)
	}
	if v, err = s.env.Store.FindPullPreviewByID(s.Context(), v.ID); err != nil {
		s.Fatal(err)
	}
	return v
}

func TestPullRequestIsComparedWithTheCommitItBeganAt(t *testing.T) {
	docs := maps.Clone(site)
	docs["guides/start.mdx"] = "---\ntitle: Start\n---\nBegin here.\n\n[Nowhere](/nowhere)\n"
	s := newPulls(t, docs)
	s.git("checkout", "-q", "-b", "change")
	s.git("checkout", "-q", "main")
	s.commit("main", map[string]string{"docs/others.mdx": "# Others\n", "docs/index.mdx": "---\ntitle: Home\n---\nRewritten by others.\n"})
	made := publisher(s.env)
	made.Cache = s.cache
	s.env.QueueDeployment(t, s.project, deploy.Production, "")
	if err := made.Run(t.Context(), takeDeploy(t, s.env)); err != nil { // the live site is newer than the pull request
		t.Fatal(err)
	}
	s.git("checkout", "-q", "change")
	s.commit("refs/pull/1/head", map[string]string{"docs/run/start.mdx": docs["guides/start.mdx"], "docs/guides/start.mdx": "",
		"docs/docs.json": strings.ReplaceAll(docs["docs.json"], "guides/start\"]", "run/start\"]"), "docs/new.mdx": "# New\n"})
	v := s.pull("refs/pull/1/head")
	want := []deploy.ChangedPage{{Path: "new", How: deploy.PageAdded}, {Path: "run/start", How: deploy.PageMoved, From: "guides/start"}}
	if !slices.Equal(v.Changed, want) || v.Compared == nil || v.Outcome != deploy.Success {
		t.Fatalf("%+v, want %+v", v, want)
	}
	c := v.Compared
	if c.Lost == 0 || c.Errors < c.Lost || c.Known != 1 || c.Findings[1].Code != deploy.LostAddress ||
		!strings.Contains(c.Findings[1].Hint, `{ "source": "/guides/start", "destination": "/run/start" }`) {
		t.Errorf("%+v", c)
	}
	s.commit("refs/pull/1/head", map[string]string{"docs/docs.json": strings.ReplaceAll(strings.ReplaceAll(docs["docs.json"],
		"guides/start\"", "run/start\""), `"redirects":[`, `"redirects":[{"source":"/guides/:slug*","destination":"/run/:slug*"},`+
		`{"source":"/guides","destination":"/run/start"},`)})
	if v := s.pull("refs/pull/1/head"); v.Compared == nil || v.Compared.Lost+v.Compared.Errors != 0 {
		t.Errorf("after the redirect was added: %+v", v.Compared)
	}
	before := s.cache.Figures()
	s.commit("refs/pull/1/head", map[string]string{"docs/new.mdx": "# Newer\n"})
	s.pull("refs/pull/1/head")
	if after := s.cache.Figures(); after.Hits-before.Hits <= after.Misses-before.Misses {
		t.Errorf("the base was built again without the cache: %+v, then %+v", before, after)
	}
}

func TestPullRequestOutsideOfTheDocsFolderHasNoPreview(t *testing.T) {
	docs := maps.Clone(site)
	docs["staff.mdx"] = "---\ntitle: Staff\ngroups: [staff]\n---\nInside.\n"
	docs["open.mdx"] = "---\ntitle: Open\npublic: true\n---\nFor all.\n"
	s := newPulls(t, docs)
	err := s.env.Store.Tx(t.Context(), func(tx *store.Tx) error {
		return errors.Join(tx.AskView(t.Context(), s.project.ID, reader.New("staff")),
			tx.AskView(t.Context(), s.project.ID, reader.View{Anonymous: true}))
	})
	if err != nil {
		t.Fatal(err)
	}
	s.git("checkout", "-q", "-b", "change")
	s.commit("refs/pull/1/head", map[string]string{"docs/index.mdx": "---\ntitle: Home\n---\nHello.\n"})
	v := s.pull("refs/pull/1/head")
	want := []deploy.ChangedPage{{Path: "index", How: deploy.PageChanged, Diff: true}}
	if v.DeploymentID == "" || v.Compared == nil || !slices.Equal(v.Changed, want) {
		t.Fatalf("%+v", v)
	}
	d, err := s.env.Store.FindDeploymentByID(t.Context(), v.DeploymentID)
	if err != nil {
		t.Fatal(err)
	}
	shown := page(t, s.env, d, "_lectern/changes/index.html")
	if !strings.Contains(shown, "<del>Welcome.</del>") || !strings.Contains(shown, "<ins>Hello.</ins>") ||
		!strings.Contains(shown, `href="/_lectern/changes.css"`) || !strings.Contains(page(t, s.env, d, "_lectern/changes.css"), ".change-row") {
		t.Errorf("%s", shown)
	}
	m, err := publish.LoadManifest(t.Context(), s.env.Blob, d.ManifestKey)
	if err != nil || len(m.Views) != 2 {
		t.Fatalf("%+v, %v", m.Views, err)
	}
	for i, want := range []bool{false, true} { // readers who have not signed in see only public pages
		view, err := publish.LoadManifest(t.Context(), s.env.Blob, m.Views[i].Manifest)
		f, got := view.Files["_lectern/changes/index.html"]
		if err != nil || got != want || got && view.Packs[f.Pack] != m.Packs[m.Files["_lectern/changes/index.html"].Pack] {
			t.Errorf("%s has the page with changes: %v, %v", m.Views[i].View, got, err)
		}
	}
	s.git("reset", "-q", "--hard", "main")
	s.commit("refs/pull/12/head", map[string]string{"main.go": "package other\n"})
	if v := s.pull("refs/pull/12/head"); v.Refused != pullpreview.Unchanged {
		t.Errorf("%+v", v)
	}
	if v, err := s.env.Store.FindPullPreviewByID(t.Context(), v.ID); err != nil || v.DeploymentID == "" || v.Refused != "" {
		t.Errorf("a change of code removed the preview of another pull request: %+v, %v", v, err)
	}
	s.git("update-ref", "refs/pull/1/head", "HEAD")
	if v := s.pull("refs/pull/1/head"); v.Refused != pullpreview.Unchanged || v.DeploymentID != "" {
		t.Errorf("%+v", v)
	}
}

func TestSamplesOfChangedPagesAreRunForAPullRequest(t *testing.T) {
	docs := maps.Clone(site)
	fails := "\n```sh test={true}\nexit 3\n```\n"
	docs["guides/start.mdx"] += fails
	s := newPulls(t, docs)
	s.git("checkout", "-q", "-b", "change")
	s.commit("refs/pull/1/head", map[string]string{"docs/index.mdx": docs["index.mdx"] + fails})
	if v := s.pull("refs/pull/1/head"); v.Compared == nil || v.Compared.Errors != 0 {
		t.Fatalf("samples ran although no language is enabled: %+v", v.Compared)
	}
	var err error
	if s.samples.Languages, err = codesample.ParseLanguages([]string{"sh"}); err != nil {
		t.Fatal(err)
	}
	s.samples.Runner = sandbox.Bare{} // package codesample tests them in the sandbox
	c := s.pull("refs/pull/1/head").Compared
	if c == nil || c.Errors != 1 || len(c.Findings) != 1 || c.Findings[0].Code != "sample-failed" || c.Findings[0].File != "index.mdx" {
		t.Errorf("%+v", c)
	}
	s.samples.Languages, err = codesample.ParseLanguages([]string{"sh=no-such-program"})
	if v := s.pull("refs/pull/1/head"); err != nil || v.Outcome != deploy.Success || v.Compared == nil || v.Compared.Errors != 0 {
		t.Errorf("%v, %+v", err, v)
	}
}

func TestProseOfChangedPagesIsCheckedForAPullRequest(t *testing.T) {
	docs := maps.Clone(site)
	docs[".vale.ini"] = "StylesPath = styles\n[*.mdx]\nBasedOnStyles = House\n"
	docs["styles/House/Simply.yml"] = "extends: existence\nmessage: Leave it out.\nlevel: error\ntokens:\n  - simply\n"
	docs["guides/start.mdx"] += "\nIt was simply there before.\n"
	s := newPulls(t, docs)
	s.git("checkout", "-q", "-b", "change")
	s.commit("refs/pull/1/head", map[string]string{"docs/index.mdx": docs["index.mdx"] + "\nIt is simply new.\n"})
	if v := s.pull("refs/pull/1/head"); v.Compared == nil || v.Compared.Errors != 0 {
		t.Fatalf("prose was checked although there is no program: %+v", v.Compared)
	}
	vale, err := testserver.Installed("bin/vale-v3.21.0")
	if err != nil {
		t.Fatal(err)
	}
	s.prose = prose.Options{Program: vale, Runner: sandbox.Bare{}} // package prose tests it in the sandbox
	c := s.pull("refs/pull/1/head").Compared
	if c == nil || c.Errors != 1 || len(c.Findings) != 1 || c.Findings[0].Code != "prose" || c.Findings[0].File != "index.mdx" {
		t.Errorf("%+v", c)
	}
	s.prose.Program = "no-such-program"
	if v := s.pull("refs/pull/1/head"); v.Outcome != deploy.Success || v.Compared == nil || v.Compared.Errors != 0 {
		t.Errorf("%+v", v)
	}
}
