package snapshot_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/source/localdir"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

func TestStoredSourceRoundTrips(t *testing.T) {
	b := worktest.New(t)
	files := map[string]string{"docs.json": "{}", "a/b/c.mdx": "deep", "index.mdx": strings.Repeat("# x\n", 5000),
		"name with spaces.mdx": "y", "ünï.mdx": "z", "empty.mdx": "", "a/pic.png": "\x89PNG"}
	key := snapshot.Key("p", "d-1")
	if err := b.Source.Save(t.Context(), key, fetch(t, b, folderOf(t, files), nil), nil); err != nil {
		t.Fatal(err)
	}
	src, err := b.Source.Open(t.Context(), key, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = src.Close() }()
	var names []string
	for name, want := range files {
		names = append(names, name)
		if got, err := fs.ReadFile(src.FS, name); err != nil || string(got) != want {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	if err := fstest.TestFS(src.FS, names...); err != nil {
		t.Error(err)
	}
}

func TestSameSourceIsStoredAsTheSameBytes(t *testing.T) {
	b := worktest.New(t)
	var kept []string
	for _, key := range []string{snapshot.Key("p", "d-1"), snapshot.Key("p", "d-2")} {
		if err := b.Source.Save(t.Context(), key,
			fetch(t, b, folderOf(t, map[string]string{"index.mdx": "# x", "b/c.mdx": "y"}), nil), nil); err != nil {
			t.Fatal(err)
		}
		r, _, err := b.Source.Blob.Open(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err := errors.Join(err, r.Close()); err != nil {
			t.Fatal(err)
		}
		kept = append(kept, string(data))
	}
	if kept[0] != kept[1] {
		t.Error("the stored bytes differ")
	}
}

// Deployments of earlier releases stored their source as a tar.gz.
func TestSourceStoredByEarlierReleaseIsReadable(t *testing.T) {
	b := worktest.New(t)
	var raw bytes.Buffer
	a := output.NewTarGz(&raw)
	for _, name := range []string{"index.mdx", "a/b.mdx"} {
		if err := a.Put(t.Context(), output.File{Path: name, Data: []byte(name)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Source.Blob.Put(t.Context(), "snapshots/p/d-1.tar.gz", &raw); err != nil {
		t.Fatal(err)
	}
	src, err := b.Source.Open(t.Context(), "snapshots/p/d-1.tar.gz", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = src.Close() }()
	if got, err := fs.ReadFile(src.FS, "a/b.mdx"); err != nil || string(got) != "a/b.mdx" {
		t.Errorf("%q %v", got, err)
	}
}

func TestMissingOrDamagedCopyIsAnError(t *testing.T) {
	b := worktest.New(t)
	for _, key := range []string{"snapshots/p/none.tar.gz", snapshot.Key("p", "none")} {
		if _, err := b.Source.Open(t.Context(), key, t.TempDir()); !fault.HasCode(err, "blob_not_found") {
			t.Errorf("%s: %v", key, err)
		}
	}
	key := snapshot.Key("p", "cut")
	if _, err := b.Source.Blob.Put(t.Context(), key, strings.NewReader("PK\x03\x04 and no more")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Source.Open(t.Context(), key, t.TempDir()); err == nil {
		t.Error("opened a truncated archive")
	}
}

func TestCredentialIsUsedForItsRepository(t *testing.T) {
	b := worktest.New(t)
	b.Source.Credentials = func(_ context.Context, p project.Project) (*git.Credential, error) {
		if p.Source.Credential != "docs" || p.Source.Repository != "https://git.example.com/a.git" {
			t.Errorf("asked for %+v", p.Source)
		}
		return &git.Credential{User: "u", Password: "p"}, nil
	}
	r, err := b.Source.Remote(t.Context(), project.Project{DocsFolder: "docs",
		Source: project.Source{Repository: "https://git.example.com/a.git", Branch: "main", Credential: "docs"}}, "")
	if err != nil || r.Branch != "main" || r.Folder != "docs" || r.Credential == nil || r.Credential.Password != "p" {
		t.Fatalf("%+v %v", r, err)
	}
	if r, err = b.Source.Remote(t.Context(),
		project.Project{Source: project.Source{Repository: "https://git.example.com/a.git", Branch: "main"}},
		"draft"); err != nil || r.Branch != "draft" || r.Credential != nil {
		t.Fatalf("%+v %v", r, err)
	}
}

// C10: the server's own folder contains copies of all sources, and no caller may use it as a source.
func TestServerDataIsRefusedAsSource(t *testing.T) {
	b := worktest.New(t)
	b.Source.Private = worktest.Write(t, map[string]string{"git/other.git/HEAD": "x", "index.mdx": "# x"})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(b.Source.Private, link); err != nil {
		t.Fatal(err)
	}
	for _, s := range []project.Source{{Path: b.Source.Private}, {Path: link},
		{Repository: "file://" + b.Source.Private + "/git/other.git"},
		{Repository: b.Source.Private + "/git/other.git"}, {Repository: "FILE://" + link + "/git/other.git"},
		{Repository: "file://" + b.Source.Private + "/%67it/other.git"}} {
		if _, err := b.Source.Fetch(t.Context(), project.Project{Source: s}, "", t.TempDir(), nil); !fault.HasCode(err,
			"private_source") {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// A branch that an agent proposed for a folder is in the repository that the server manages for the project.
func TestProposedBranchIsFetchedFromEmbeddedRepository(t *testing.T) {
	b := worktest.New(t)
	folder := worktest.Write(t, map[string]string{"docs/index.mdx": "# Now\n"})
	for domain, source := range map[string]project.Source{"a.example.com": {Path: folder},
		"b.example.com": {Repository: snapshot.BuiltIn}, "c.example.com": {Repository: snapshot.Own}} {
		p := b.Project(t, domain, source)
		p.DocsFolder = "docs"
		repo := b.Source.Git.Repo(filepath.Join(b.Source.Own, p.ID+".git"))
		if err := repo.Make(t.Context()); err != nil {
			t.Fatal(err)
		}
		base, err := repo.Import(t.Context(), git.Import{Files: fstest.MapFS{"index.mdx": {Data: []byte("# Main\n")}},
			Folder: "docs", Message: "x", When: b.Now()})
		if err != nil {
			t.Fatal(err)
		}
		commit, err := b.Source.Git.Propose(t.Context(), repo.Remote("", "docs"),
			git.Proposal{Parent: base, Branch: "lectern/x-aaaaaaaaaa", Message: "x", When: b.Now(),
				Changes: []draft.Change{{Path: "index.mdx", After: []byte("# Proposed\n")}}})
		if err != nil {
			t.Fatal(err)
		}
		for branch, want := range map[string]string{"lectern/x-aaaaaaaaaa": "# Proposed\n",
			"": map[string]string{"a.example.com": "# Now\n", "b.example.com": "# Built in\n",
				"c.example.com": "# Main\n"}[domain]} {
			s, err := b.Source.Fetch(t.Context(), p, branch, t.TempDir(), nil)
			if err != nil {
				t.Errorf("%s %q: %v", domain, branch, err)
				continue
			}
			text, _ := fs.ReadFile(s.FS, "index.mdx")
			if string(text) != want || branch != "" && s.Commit != commit || s.Close() != nil {
				t.Errorf("%s %q: %q, %+v", domain, branch, text, s.Snapshot)
			}
		}
		if _, err := b.Source.Fetch(t.Context(), p, "lectern/gone-aaaaaaaaaa", t.TempDir(), nil); !fault.HasCode(err,
			"branch_not_found") {
			t.Errorf("%s: %v", domain, err)
		}
		if head, err := b.Source.Head(t.Context(), p); domain == "c.example.com" && (err != nil || head != base) {
			t.Errorf("%s, %v", head, err)
		}
	}
	b.Source.Own = ""
	if _, err := b.Source.Fetch(t.Context(), project.Project{ID: "p", Source: project.Source{Repository: snapshot.Own}},
		"", t.TempDir(), nil); !fault.HasCode(err, "no_own_repositories") {
		t.Errorf("%v", err)
	}
}

// If the operator permits no sources on this disk, a repository there is refused like a folder, for agents too.
func TestLocalRepositoryNeedsOperatorPermission(t *testing.T) {
	for _, at := range []string{"file:///srv/docs", "/srv/docs"} {
		p := project.Project{ID: "prj_a", Source: project.Source{Repository: at}}
		f := &snapshot.Fetcher{}
		if _, err := f.Remote(t.Context(), p, ""); !fault.HasCode(err, "local_source_off") {
			t.Errorf("%s: %v", at, err)
		}
		f.Local = localdir.Anywhere
		if r, err := f.Remote(t.Context(), p, ""); err != nil || r.URL != at {
			t.Errorf("%s: %v %v", at, r, err)
		}
	}
}
