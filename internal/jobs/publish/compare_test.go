package publish_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/build/buildcache"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/pullpreview"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// pulls is a repository with pull requests, and a server with a build cache.
type pulls struct {
	*testing.T
	env     *worktest.Env
	dir     string
	project project.Project
	cache   *buildcache.Store
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

// commit writes files, "" to remove one, and leads a ref to the commit.
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

// pull opens or pushes to a pull request and builds its preview.
func (s *pulls) pull(ref string) pullpreview.Preview {
	s.Helper()
	var v pullpreview.Preview
	err := s.env.Store.Tx(s.Context(), func(tx *store.Tx) (err error) {
		v, err = tx.OpenPullPreview(s.Context(), s.project, pullpreview.Preview{Number: int64(len(ref)), Ref: ref, Base: "main"}, 9)
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	made := publisher(s.env)
	made.Cache = s.cache
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
	s := newPulls(t, site)
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
	s.git("reset", "-q", "--hard", "main")
	s.commit("refs/pull/1/head", map[string]string{"main.go": "package other\n"})
	if v := s.pull("refs/pull/1/head"); v.Refused != pullpreview.Unchanged || v.DeploymentID != "" {
		t.Errorf("%+v", v)
	}
}
