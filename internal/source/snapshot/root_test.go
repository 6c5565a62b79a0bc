package snapshot_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/source/localdir"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

const proposedBranch = "lectern/fix-abcdefghij"

// twoRoots is a server with two organizations. Each has a root, and the root of the second one contains a repository
// with a secret page.
type twoRoots struct {
	*worktest.Env
	t      *testing.T
	a      string // root of the first organization
	secret string // the other organization's git directory
	commit string // newest commit of that repository
}

func newTwoRoots(t *testing.T) *twoRoots {
	t.Helper()
	dir := t.TempDir()
	r := &twoRoots{Env: worktest.New(t), t: t, a: filepath.Join(dir, "a"),
		secret: filepath.Join(dir, "b", "private", ".git")}
	worktest.Rewrite(t, dir, map[string]string{"a/readme": "a"})
	r.commit = r.repository(filepath.Dir(r.secret), "secret")
	policy := &localdir.Policy{Alone: func(context.Context) (bool, error) { return false, nil },
		Roots: []localdir.Root{{Organization: r.Organization.ID, Path: r.a},
			{Organization: "org_b", Path: filepath.Join(dir, "b")}}}
	r.Source.Local = policy.Allow
	return r
}

// repository creates a repository with a work tree and a page, and returns its commit.
func (r *twoRoots) repository(at, page string) string {
	r.t.Helper()
	worktest.Rewrite(r.t, at, map[string]string{"index.mdx": page})
	r.git(at, "init", "-q", "-b", "main")
	r.git(at, "add", ".")
	r.git(at, "commit", "-q", "-m", "Begin")
	return r.git(at, "rev-parse", "HEAD")
}

func (r *twoRoots) git(dir string, args ...string) string {
	r.t.Helper()
	return testgit.Run(r.t, dir, args...)
}

func (r *twoRoots) project(name string) project.Project {
	r.t.Helper()
	return r.Project(r.t, strings.ReplaceAll(name, "/", "-")+".example.com",
		project.Source{Repository: filepath.Join(r.a, name), Branch: "main"})
}

// push proposes a change like an agent.
func (r *twoRoots) push(p project.Project, parent string) error {
	remote, err := r.Source.Remote(r.t.Context(), p, "")
	if err != nil {
		return err
	}
	_, err = r.Source.Git.Propose(r.t.Context(), remote,
		git.Proposal{Parent: parent, Branch: proposedBranch, Message: "Fix", When: r.Now(),
			Changes: []draft.Change{{Path: "index.mdx", After: []byte("changed")}}})
	return err
}

const ref = "ref: refs/heads/main\n"

// C10: git looks for a repository in up to four locations. If the folder below a root is not itself a repository, git
// could find an unchecked location and, through it, another organization's repository.
func TestFolderWithoutRepositoryCannotEscapeRoot(t *testing.T) {
	r := newTwoRoots(t)
	bare, away := "[core]\n\tbare = true\n", r.secret+"\n"
	worktest.Rewrite(t, r.a, map[string]string{
		"beside/config": bare, "beside.git/HEAD": ref, "beside.git/commondir": away,
		"nested/config": bare, "nested.git/.git/HEAD": ref, "nested.git/.git/commondir": away,
		"around/.git/config": bare, "around/HEAD": ref, "around/commondir": away,
		"inside/config": bare, "inside/HEAD": ref, "inside/objects/x": "", "inside/refs/x": "",
		"inside/.git/config": bare,
		"inside/.git/HEAD":   ref, "inside/.git/objects/x": "", "inside/.git/refs/x": "", "inside/.git/.git/HEAD": ref,
		"inside/.git/.git/commondir": away,
		"badhead/config":             bare, "badhead/HEAD": "ref: other\n", "badhead/objects/x": "",
		"badhead/refs/x": "", "badhead.git/HEAD": ref, "badhead.git/commondir": away,
	})
	for _, name := range []string{"beside", "nested", "around", "inside", "badhead"} {
		p := r.project(name)
		if _, err := r.Source.Fetch(t.Context(), p, "", t.TempDir(), nil); !fault.HasCode(err, "local_source_off") {
			t.Errorf("%s: fetch: %v", name, err)
		}
		if err := r.push(p, r.commit); !fault.HasCode(err, "local_source_off") {
			t.Errorf("%s: push: %v", name, err)
		}
		if found := r.git(filepath.Dir(r.secret), "branch", "--list", proposedBranch); found != "" {
			t.Errorf("%s: pushed a branch into the other organization's repository", name)
		}
	}
}

// C10: git uses exactly the repository that was checked, whatever is next to it.
func TestGitUsesOnlyCheckedRepository(t *testing.T) {
	r := newTwoRoots(t)
	commit := r.repository(filepath.Join(r.a, "tree"), "ours")
	r.git(r.a, "clone", "-q", "--bare", "--no-hardlinks", "tree", "bare")
	if err := os.Symlink("tree", filepath.Join(r.a, "link")); err != nil {
		t.Fatal(err)
	}
	away := r.secret + "\n"
	worktest.Rewrite(t, r.a, map[string]string{
		"tree/HEAD": ref, "tree/commondir": away, "tree.git/HEAD": ref, "tree.git/commondir": away,
		"tree/.git.git/HEAD": ref, "tree/.git.git/commondir": away,
		"bare.git/HEAD": ref, "bare.git/commondir": away,
	})
	for name, at := range map[string]string{"tree": "tree", "bare": "bare", "link": "tree"} {
		p := r.project(name)
		s := fetch(t, r.Env, p, nil)
		if text, err := fs.ReadFile(s.FS, "index.mdx"); err != nil || s.Commit != commit || string(text) != "ours" {
			t.Errorf("%s: fetch: %q %v", name, text, err)
		}
		if err := r.push(p, commit); err != nil {
			t.Errorf("%s: push: %v", name, err)
		}
		repository := "--git-dir=" + gitDir(r.a, at)
		if found := r.git(filepath.Join(r.a, at), repository, "branch", "--list", proposedBranch); found == "" {
			t.Errorf("%s: the pushed branch is missing", name)
		}
		// The link points to the same repository. A commit made in a later second has a different id, so the next push
		// would be refused.
		r.git(filepath.Join(r.a, at), repository, "branch", "-D", proposedBranch)
	}
	if found := r.git(filepath.Dir(r.secret), "branch", "--list", proposedBranch); found != "" {
		t.Error("pushed a branch into the other organization's repository")
	}
}

func gitDir(root, name string) string {
	at := filepath.Join(root, name)
	if name == "bare" {
		return at
	}
	return filepath.Join(at, ".git")
}
