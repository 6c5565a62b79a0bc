package localdir

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

const orgA, orgB = "org_a", "org_b"

func alone(yes bool) func(context.Context) (bool, error) {
	return func(context.Context) (bool, error) { return yes, nil }
}

// C10: with a second organization, a source may only be in the folders that the operator permits for its organization.
func TestPolicyAllowsAnyFolderOnlyForSingleOrganization(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a/docs/index.mdx": "a", "b/docs/index.mdx": "b", "ab/index.mdx": "ab",
		"data/x": "x", "file": "f"})
	at := func(name string) string { return filepath.Join(dir, name) }
	several := &Policy{Anywhere: true, Alone: alone(false), Roots: []Root{{orgA, at("a")}, {orgB, at("b")}},
		Private: []string{at("data")}}
	for _, c := range []struct {
		policy *Policy
		org    string
		path   string
		want   bool
	}{
		{&Policy{Anywhere: true, Alone: alone(true)}, orgA, "/etc", true},
		{&Policy{Alone: alone(true)}, orgA, "/etc", false},
		{several, orgA, "/etc", false},
		{several, orgA, at("a"), true}, {several, orgA, at("a/docs"), true}, {several, orgA, at("a/docs") + "/", true},
		{several, orgA, at("a/new"), true},
		{several, orgB, at("a/docs"), false}, {several, orgA, at("b/docs"), false}, {several, "org_c", at("a"), false},
		{several, "", at("a"), false},
		{several, orgA, at("ab"), false}, {several, orgA, dir, false}, {several, orgA, at("a/../b/docs"), false},
		{several, orgA, at("a") + "/docs/../../b", false},
		{several, orgA, "a", false}, {several, orgA, "", false},
		{&Policy{Alone: alone(false), Roots: []Root{{orgA, at("file")}}}, orgA, at("file"), false},
		{&Policy{Alone: alone(false), Roots: []Root{{orgA, at("gone")}}}, orgA, at("gone"), false},
		{&Policy{Alone: alone(false), Roots: []Root{{orgA, at("data")}}, Private: []string{at("data")}}, orgA,
			at("data"), false},
		{&Policy{Alone: alone(false), Roots: []Root{{orgA, at("a")}, {orgB, at("a/docs")}}}, orgA, at("a"), false},
		{&Policy{Alone: alone(false), Roots: []Root{{orgA, at("a")}, {orgB, at("a/docs")}}}, orgB, at("a/docs"), false},
		{&Policy{Alone: alone(false), Roots: []Root{{orgA, at("a")}, {orgA, at("a/docs")}}}, orgA, at("a/docs"), true},
		{&Policy{Alone: alone(false), Roots: []Root{{orgA, at("a")}, {orgB, linkTo(t, at("a"))}}}, orgA, at("a"),
			false},
	} {
		place, err := c.policy.Allow(t.Context(), c.org, c.path)
		if (err == nil) != c.want || err != nil && !fault.HasCode(err, "local_source_off") ||
			err == nil && place.Path == "" {
			t.Errorf("%s at %s: %+v, %v", c.org, c.path, place, err)
		}
	}
	if _, err := Rule(nil).Allow(t.Context(), orgA, at("a")); !fault.HasCode(err, "local_source_off") {
		t.Errorf("without a rule: %v", err)
	}
}

// C10: a link below a root cannot escape from it, whether the link is the source's folder, a folder on the path to it,
// or the docs folder.
func TestLinksCannotEscapeRoot(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a/docs/index.mdx": "a", "b/docs/secret.mdx": "b"})
	for name, target := range map[string]string{"out": "../b/docs", "far": filepath.Join(dir, "b"), "in": "docs"} {
		if err := os.Symlink(target, filepath.Join(dir, "a", name)); err != nil {
			t.Fatal(err)
		}
	}
	policy := &Policy{Alone: alone(false), Roots: []Root{{orgA, filepath.Join(dir, "a")}}}
	for _, c := range []struct {
		path, folder string
		want         bool
	}{{"docs", "", true}, {"in", "", true}, {".", "docs", true}, {"out", "", false}, {"far/docs", "", false},
		{".", "out", false}, {".", "far/docs", false}} {
		place, err := policy.Allow(t.Context(), orgA, filepath.Join(dir, "a", c.path))
		if err != nil {
			t.Fatal(err)
		}
		dst := t.TempDir()
		_, err = Snapshot(t.Context(), place, c.folder, "", sink(t, dst), sourcetree.Limits{})
		if (err == nil) != c.want || len(tree(t, dst)) > 0 != c.want {
			t.Errorf("%+v: %v %v", c, err, tree(t, dst))
		}
	}
}

// C10: git follows references in a repository's files, so a repository below a root is used only if none of them points
// outside or runs a program.
func TestRepositoryBelowRootMustBePlain(t *testing.T) {
	plain := map[string]string{"HEAD": "ref: refs/heads/main\n",
		"config":       "[core]\n\trepositoryformatversion = 0\n\tbare = true\n[remote \"origin\"]\n\turl = x\n",
		"objects/aa/b": "x", "refs/heads/x": "x"}
	for name, c := range map[string]struct {
		files map[string]string
		links map[string]string
		want  bool
	}{
		"plain":                   {nil, nil, true},
		"borrowed objects":        {map[string]string{"objects/info/alternates": "/srv/b/objects\n"}, nil, false},
		"another repository's":    {map[string]string{"commondir": "/srv/b\n"}, nil, false},
		"linked objects":          {nil, map[string]string{"objects/bb": "/srv/b/objects/bb"}, false},
		"hooks":                   {map[string]string{"config": "[core]\n\thooksPath = /srv/a/hooks\n"}, nil, false},
		"settings from elsewhere": {map[string]string{"config": "[include]\n\tpath = /etc/passwd\n"}, nil, false},
		"settings in one line":    {map[string]string{"config": "[core] hooksPath = /srv/a/hooks\n"}, nil, false},
		"settings over two lines": {map[string]string{"config": "[core]\n\tbare = true\\\n\n[include]\n\tpath = x\n"},
			nil, false},
		"programs": {map[string]string{"config": "[uploadpack]\n\tpackObjectsHook = /srv/a/run\n"}, nil,
			false},
		"no branch": {map[string]string{"HEAD": "ref: main\n"}, nil, false},
		"a large HEAD": {map[string]string{"HEAD": "ref: refs/heads/" + strings.Repeat("x", 2000)}, nil,
			false},
		"a linked HEAD": {map[string]string{".git/config": "", ".git/objects/x": "", ".git/refs/x": ""},
			map[string]string{".git/HEAD": "../HEAD"}, false},
		"no repository as .git": {map[string]string{".git/config": "[core]\n\tbare = true\n"}, nil, false},
		"one inside .git": {map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/config": "",
			".git/objects/x": "", ".git/refs/x": "", ".git/.git/HEAD": ""}, nil, false},
		"a pointer as .git": {map[string]string{".git": "gitdir: /srv/b\n"}, nil, false},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "repo"), plain)
		write(t, filepath.Join(dir, "repo"), c.files)
		for at, target := range c.links {
			if err := os.Symlink(target, filepath.Join(dir, "repo", at)); err != nil {
				t.Fatal(err)
			}
		}
		at, err := Place{Root: dir, Path: filepath.Join(dir, "repo")}.Repository()
		if (err == nil) != c.want || err == nil && filepath.Base(at) != "repo" {
			t.Errorf("%s: %q, %v", name, at, err)
		}
		if _, err := (Place{Path: filepath.Join(dir, "repo")}).Repository(); err != nil {
			t.Errorf("%s, without a root: %v", name, err)
		}
	}
}

// C10: a folder that lacks a part of a repository is refused, because git would skip it and use another repository.
func TestRepositoryBelowRootMustBeComplete(t *testing.T) {
	whole := map[string]string{"HEAD": "ref: refs/heads/main\n", "config": "", "objects/x": "", "refs/x": ""}
	for _, missing := range []string{"", "HEAD", "config", "objects/x", "refs/x"} {
		dir := t.TempDir()
		for name, text := range whole {
			if name != missing {
				write(t, filepath.Join(dir, "tree/.git"), map[string]string{name: text})
			}
		}
		link := linkTo(t, dir)
		at, err := Place{Root: link, Path: filepath.Join(link, "tree")}.Repository()
		if missing == "" && (err != nil || at != filepath.Join(dir, "tree/.git")) ||
			missing != "" && !fault.HasCode(err, "local_source_off") {
			t.Errorf("without %q: %q, %v", missing, at, err)
		}
	}
}

// C10: git opens a repository by its path. If the path has come to point elsewhere since the folder was opened, inside
// or outside the root, it is refused.
func TestPathChangedAfterCheckIsRefused(t *testing.T) {
	whole := map[string]string{"HEAD": "ref: refs/heads/main\n", "config": "", "objects/x": "", "refs/x": ""}
	for _, target := range []string{"a/other", "b/private"} {
		dir := t.TempDir()
		for _, name := range []string{"a/repo", "a/other", "b/private"} {
			write(t, filepath.Join(dir, name), whole)
		}
		place := Place{Root: filepath.Join(dir, "a"), Path: filepath.Join(dir, "a/repo")}
		root, err := place.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = root.Close() }()
		if at, err := place.plainRepository(root); err != nil || at != place.Path {
			t.Fatalf("%q, %v", at, err)
		}
		if err := os.Rename(place.Path, filepath.Join(dir, "a/moved")); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(dir, target), place.Path); err != nil {
			t.Fatal(err)
		}
		if at, err := place.plainRepository(root); err == nil {
			t.Errorf("%s: %q", target, at)
		}
	}
}

// C10: a root that contains the server's own folders would publish them. Only the data folder may be inside one,
// because snapshots skip it.
func TestRootMayNotContainServerFolders(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"docs/cache/x": "x", "docs/data/repositories/x": "x", "docs/sub/x": "x",
		"cache/x": "x", "cwd/repos/x": "x"})
	at := func(name string) string { return filepath.Join(dir, name) }
	t.Chdir(at("cwd"))
	if err := os.Symlink(at("docs/cache"), at("cwd/linked")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		root, data string
		private    []string
		want       bool
	}{
		{"docs", at("docs/data"), []string{at("docs/data"), at("docs/data/repositories"), ""}, true},
		{"docs", at("docs/data"), []string{at("docs/data"), at("docs/data/later"), at("cache")}, true},
		{"docs", at("docs/later"), []string{at("docs/later"), at("docs/later/repositories")}, true},
		{"docs", at("data"), []string{at("data"), at("docs/cache")}, false},
		{"docs", at("docs/data"), []string{at("docs/data"), at("docs/cache")}, false},
		{"docs", at("data"), []string{at("data"), at("docs/later/cache")}, false},
		{"docs", at("data"), []string{at("data"), linkTo(t, at("docs/cache"))}, false},
		{"docs/cache", at("data"), []string{at("data"), at("docs/cache")}, false},
		{"docs/sub", at("data"), []string{at("data"), at("docs/cache")}, true},
		{"cwd", at("data"), []string{at("data"), "./repos"}, false},
		{"docs", at("data"), []string{at("data"), "../docs/cache"}, false},
		{"docs", at("data"), []string{at("data"), "repos"}, true},
		{"docs", at("cwd"), []string{at("cwd"), at("cwd/linked")}, false},
	} {
		policy := &Policy{Alone: alone(false), Roots: []Root{{orgA, at(c.root)}}, Private: c.private, Data: c.data}
		if err := policy.Check(policy.Roots[0]); (err == nil) != c.want {
			t.Errorf("%s around %q: %v", c.root, c.private, err)
		}
		if _, err := policy.Allow(t.Context(), orgA, at(c.root)); (err == nil) != c.want ||
			err != nil && !fault.HasCode(err, "local_source_off") {
			t.Errorf("%s around %q: use: %v", c.root, c.private, err)
		}
	}
	if !Within("repos", at("cwd")) || !Within("repos", dir) || !Within("../docs/cache", at("docs")) ||
		Within("repos", at("docs")) {
		t.Error("a path relative to the current folder is not resolved")
	}
}
