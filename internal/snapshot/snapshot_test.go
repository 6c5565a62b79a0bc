package snapshot_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/gitrepo"
	"github.com/lectern-docs/lectern/internal/project"
	"github.com/lectern-docs/lectern/internal/worktest"
)

func TestAKeptSourceComesBackTheSame(t *testing.T) {
	b := worktest.New(t)
	files := map[string]string{"docs.json": "{}", "a/b/c.mdx": "deep", "index.mdx": "# x", "name with spaces.mdx": "y", "ünï.mdx": "z"}
	dir, back := worktest.Write(t, files), t.TempDir()
	if err := b.Source.Save(t.Context(), "snapshots/p/d-1.tar.gz", dir); err != nil {
		t.Fatal(err)
	}
	if err := b.Source.Load(t.Context(), "snapshots/p/d-1.tar.gz", back); err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(back, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
}

func TestALostCopyIsAnError(t *testing.T) {
	b := worktest.New(t)
	if err := b.Source.Load(t.Context(), "snapshots/p/none.tar.gz", t.TempDir()); !fault.HasCode(err, "blob_not_found") {
		t.Fatal(err)
	}
}

func TestACredentialReachesTheRepositoryItIsFor(t *testing.T) {
	b := worktest.New(t)
	b.Source.Credentials = func(name, repository string) (*gitrepo.Credential, error) {
		if name != "docs" || repository != "https://git.example.com/a.git" {
			t.Errorf("asked for %q of %q", name, repository)
		}
		return &gitrepo.Credential{User: "u", Password: "p"}, nil
	}
	r, err := b.Source.Remote(project.Project{DocsFolder: "docs", Source: project.Source{Repository: "https://git.example.com/a.git", Branch: "main", Credential: "docs"}}, "")
	if err != nil || r.Branch != "main" || r.Folder != "docs" || r.Credential == nil || r.Credential.Password != "p" {
		t.Fatalf("%+v %v", r, err)
	}
	if r, err = b.Source.Remote(project.Project{Source: project.Source{Repository: "https://git.example.com/a.git", Branch: "main"}}, "draft"); err != nil || r.Branch != "draft" || r.Credential != nil {
		t.Fatalf("%+v %v", r, err)
	}
}

// C10: the server's own folder holds copies of everybody's sources, and no caller may name it.
func TestTheServersOwnDataIsNoSource(t *testing.T) {
	b := worktest.New(t)
	b.Source.Private = worktest.Write(t, map[string]string{"git/other.git/HEAD": "x", "index.mdx": "# x"})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(b.Source.Private, link); err != nil {
		t.Fatal(err)
	}
	for _, s := range []project.Source{{Path: b.Source.Private}, {Path: link}, {Repository: "file://" + b.Source.Private + "/git/other.git"},
		{Repository: b.Source.Private + "/git/other.git"}, {Repository: "FILE://" + link + "/git/other.git"}, {Repository: "file://" + b.Source.Private + "/%67it/other.git"}} {
		if _, err := b.Source.Fetch(t.Context(), project.Project{Source: s}, "", t.TempDir()); !fault.HasCode(err, "private_source") {
			t.Errorf("%+v: %v", s, err)
		}
	}
}
