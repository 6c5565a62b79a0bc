package local_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/merge"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/forge/local"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/source/localdir"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

func newHome(t testing.TB) (*worktest.Env, *local.Home) {
	t.Helper()
	b := worktest.New(t)
	return b, &local.Home{Git: b.Source.Git, Dir: b.Source.Own, Source: b.Source, Scratch: b.Scratch.Folder,
		Proposals: merge.Ledger{Store: b.Store, Now: b.Now},
		Link: func(project, id string) string {
			return "http://localhost/dashboard/projects/" + project + "/proposals/" + id
		}, Now: b.Now}
}

// TestEmbeddedHostConforms runs the conformance suite that all code host drivers must pass.
func TestEmbeddedHostConforms(t *testing.T) {
	forgetest.RunEmbedded(t, func(t *testing.T) *forgetest.Rig {
		b, home := newHome(t)
		p := b.Project(t, "docs.example.com",
			project.Source{Path: worktest.Write(t, map[string]string{"docs/changed.md": "x\n"})})
		remote, err := home.Prepare(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		merger := &merge.Merger{Store: b.Store, Home: home, Local: localdir.Anywhere, Now: b.Now}
		id := func(number int64) string {
			found, err := b.Store.FindProposalByNumber(context.Background(), p.ID, number)
			if err != nil {
				t.Fatal(err)
			}
			return found.ID
		}
		return &forgetest.Rig{
			Open: func(string, forgetest.Access) pull.Host { return home.Host(p, remote) },
			Branch: func(t testing.TB, name string) {
				head, err := b.Source.Git.Head(context.Background(), remote)
				if err == nil {
					_, err = b.Source.Git.Propose(context.Background(), remote,
						git.Proposal{Parent: head, Branch: name, Message: "x", When: b.Now(),
							Changes: []draft.Change{{Path: "docs/changed.md", After: []byte("y\n")}}})
				}
				if err != nil {
					t.Fatal(err)
				}
			},
			Merge: func(t testing.TB, number int64) {
				if _, err := merger.Merge(context.Background(), id(number), "key_1", ""); err != nil {
					t.Fatal(err)
				}
			},
			Close: func(t testing.TB, number int64) {
				if _, err := merger.Close(context.Background(), id(number), "key_1", ""); err != nil {
					t.Fatal(err)
				}
			},
			Shown: func(t testing.TB, number int64) forgetest.Shown {
				found, err := b.Store.FindProposal(context.Background(), id(number))
				if err != nil {
					t.Fatal(err)
				}
				return forgetest.Shown{Title: found.Title, Body: found.Body, Draft: found.Draft}
			},
		}
	})
}

func TestRepositoryIsPreparedForEverySource(t *testing.T) {
	b, home := newHome(t)
	folder := worktest.Write(t, map[string]string{"index.mdx": "# Folder\n", ".lectern/dates.json": "{}"})
	disk := worktest.Write(t, map[string]string{"HEAD": "ref: refs/heads/main\n"})
	for domain, k := range map[string]struct {
		source project.Source
		want   string
	}{
		"a.example.com": {project.Source{Path: folder}, "# Folder\n"},
		"b.example.com": {project.Source{Repository: project.BuiltIn}, "# Built in\n"},
	} {
		p := b.Project(t, domain, k.source)
		var last string
		for range 2 {
			remote, err := home.Prepare(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			dst := t.TempDir()
			s, err := b.Source.Git.Checkout(t.Context(), remote, "", dst)
			if err != nil || last != "" && s.Commit != last {
				t.Errorf("%s: %+v after %s, %v", domain, s, last, err)
			}
			last = s.Commit
			if text, err := os.ReadFile(filepath.Join(dst, "index.mdx")); err != nil || string(text) != k.want {
				t.Errorf("%s: %q, %v", domain, text, err)
			}
			if domain == "a.example.com" && s.Files != 2 { // the source's own file with that name is kept
				t.Errorf("%d files", s.Files)
			}
		}
	}
	p := b.Project(t, "c.example.com", project.Source{Repository: "file://" + disk, Branch: "x"})
	if remote, err := home.Prepare(t.Context(), p); err != nil || remote.URL != "file://"+disk || remote.Branch != "x" {
		t.Errorf("%+v, %v", remote, err)
	}
	b.Source.Private = disk
	if _, err := home.Repo(t.Context(), p); !fault.HasCode(err, "private_source") {
		t.Errorf("%v", err)
	}
	p = b.Project(t, "d.example.com", project.Source{Repository: "https://git.example.com/a.git"})
	if _, err := home.Prepare(t.Context(), p); !fault.HasCode(err, "has_code_host") {
		t.Errorf("%v", err)
	}
	b.Source.Local = nil
	p = b.Project(t, "e.example.com", project.Source{Path: folder})
	if _, err := home.Prepare(t.Context(), p); !fault.HasCode(err, "local_source_off") {
		t.Errorf("%v", err)
	}
}

func TestRepositoriesOfDeletedProjectsAreRemoved(t *testing.T) {
	b, home := newHome(t)
	if n, err := home.Prune(t.Context(), nil); n != 0 || err != nil {
		t.Errorf("without a folder: %d, %v", n, err)
	}
	var kept project.Project
	for _, domain := range []string{"a.example.com", "b.example.com"} {
		kept = b.Project(t, domain, project.Source{Repository: project.BuiltIn})
		if _, err := home.Prepare(t.Context(), kept); err != nil {
			t.Fatal(err)
		}
	}
	worktest.Rewrite(t, home.Dir, map[string]string{"other/x": "x"})
	n, err := home.Prune(t.Context(), func(_ context.Context, id string) (bool, error) { return id != kept.ID, nil })
	entries, _ := os.ReadDir(home.Dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); n != 1 || err != nil || got != "other "+kept.ID+".git" {
		t.Errorf("%d, %v, left: %s", n, err, got)
	}
	fails := errors.New("no database")
	if _, err := home.Prune(t.Context(),
		func(context.Context, string) (bool, error) { return true, fails }); !errors.Is(err, fails) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(home.Dir, kept.ID+".git", "HEAD")); err != nil {
		t.Error("removed although the project's state was unknown")
	}
}
