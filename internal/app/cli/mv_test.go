package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site/rename"
)

func linkedSite(t *testing.T) string {
	t.Helper()
	files := siteFiles()
	files["docs.json"] = "{\n  \"name\": \"Small\",\n  \"navigation\": {\"pages\": [\"index\", \"guides/start\"]}\n}\n"
	return write(t, files)
}

func TestMvRenamesAPageAndItsReferences(t *testing.T) {
	t.Parallel()
	dir := linkedSite(t)
	a := invoke(t, "mv", "guides/start", "begin", "--dir", dir).want(t, 0, "1 file moved, 2 files changed")
	if a.stdout != "guides/start.mdx → begin.mdx\n" {
		t.Errorf("said %q", a.stdout)
	}
	if got := list(t, dir); !slices.Equal(got, []string{"begin.mdx", "docs.json", "images/dot.svg", "index.mdx"}) {
		t.Errorf("the folder holds %v", got)
	}
	if got := read(t, filepath.Join(dir,
		"docs.json")); got != "{\n  \"name\": \"Small\",\n  \"navigation\": {\"pages\": [\"index\", \"begin\"]},\n  \"redirects\": [\n    { \"source\": \"/guides/start\", \"destination\": \"/begin\" }\n  ]\n}\n" {
		t.Errorf("docs.json is\n%s", got)
	}
	if got := read(t, filepath.Join(dir, "index.mdx")); !strings.Contains(got, "[Start](/begin)") {
		t.Errorf("index.mdx is\n%s", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "guides")); err == nil {
		t.Error("the empty folder is still there")
	}
}

func TestMvDryRunChangesNothing(t *testing.T) {
	t.Parallel()
	dir := linkedSite(t)
	before := read(t, filepath.Join(dir, "docs.json"))
	a := invoke(t, "mv", "guides/start", "begin", "--dir", dir, "--dry-run").want(t, 0)
	for _, text := range []string{"guides/start.mdx → begin.mdx", "--- docs.json",
		`+  "navigation": {"pages": ["index", "begin"]},`, "+Hello. [Start](/begin)."} {
		if !strings.Contains(a.stdout, text) {
			t.Errorf("%q is missing in\n%s", text, a.stdout)
		}
	}
	if read(t, filepath.Join(dir, "docs.json")) != before || !slices.Contains(list(t, dir), "guides/start.mdx") {
		t.Error("something was changed")
	}
}

func TestMvFindsTheDocsFolderInAParent(t *testing.T) {
	dir := linkedSite(t)
	t.Chdir(filepath.Join(dir, "guides"))
	invoke(t, "mv", "start.mdx", "first").want(t, 0)
	invoke(t, "mv", "/guides/first", "/start").want(t, 0)
	if got := list(t, dir); !slices.Contains(got, "start.mdx") {
		t.Errorf("the folder holds %v", got)
	}
	t.Chdir(t.TempDir())
	invoke(t, "mv", "a", "b").want(t, 2, "docs.json", "--dir")
}

func TestMvRefusalsHaveDistinctExitCodes(t *testing.T) {
	t.Parallel()
	dir := linkedSite(t)
	invoke(t, "mv", "gone", "b", "--dir", dir).want(t, 4)
	invoke(t, "mv", "index", "guides/start", "--dir", dir).want(t, 5)
	invoke(t, "mv", "index", "../out", "--dir", dir).want(t, 2)
}

// If a step fails, all earlier steps are undone.
func TestFailedMoveIsUndone(t *testing.T) {
	t.Parallel()
	dir := linkedSite(t)
	contents := func() map[string]string {
		out := map[string]string{}
		for _, name := range list(t, dir) {
			out[name] = read(t, filepath.Join(dir, name))
		}
		return out
	}
	before := contents()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	r := &run{Process: Process{Rand: &zeros{}}}
	for _, plan := range []*rename.Plan{
		{Moves: []rename.Move{{From: "guides/start.mdx", To: "deep/er/a.mdx"}, {From: "gone", To: "b"}}},
		{Moves: []rename.Move{{From: "guides/start.mdx", To: "a.mdx"}}, Edits: []rename.Edit{{File: "a.mdx",
			After: []byte("x")}, {File: "index.mdx", After: []byte("y")}, {File: "gone", After: []byte("z")}}},
		{Moves: []rename.Move{{From: "guides/start.mdx", To: "index.mdx/a.mdx"}},
			Edits: []rename.Edit{{File: "docs.json", After: []byte("x")}}},
	} {
		if err := applyPlan(r, root, plan); err == nil {
			t.Error("an impossible plan was applied")
		}
		after := contents()
		for name, text := range before {
			if after[name] != text {
				t.Errorf("%s is %q", name, after[name])
			}
		}
		if len(after) != len(before) {
			t.Errorf("the folder holds %v", list(t, dir))
		}
		if _, err := os.Stat(filepath.Join(dir, "deep")); err == nil {
			t.Error("a new folder is still there")
		}
	}
}

// zeros is a source of increasing bytes, so that generated names differ.
type zeros struct{ n byte }

func (z *zeros) Read(p []byte) (int, error) {
	for i := range p {
		z.n++
		p[i] = z.n
	}
	return len(p), nil
}
