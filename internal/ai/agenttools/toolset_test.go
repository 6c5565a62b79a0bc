package agenttools_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/ai/agenttools"
	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/codesample"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/script/sandbox"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/site/output"
)

func site() fstest.MapFS {
	return fstest.MapFS{
		"docs.json": {Data: []byte(
			`{"name": "Kettle", "navigation": {"pages": ["index", "guides/start", "guides/next"]}}` + "\n")},
		"index.mdx": {Data: []byte("---\ntitle: Welcome\n---\n\nSee [the start](/guides/start).\n")},
		"guides/start.mdx": {Data: []byte(
			"---\ntitle: Start\n---\n\nBoil water. Boil water.\n\n## Pour\n\nThe teapot is warm. [Gone](/nowhere)\n")},
		"guides/next.mdx": {Data: []byte("---\r\ntitle: Next\r\n---\r\n\r\nDrink.\r\n")},
		"logo.png":        {Data: []byte{0x89, 0, 1}},
		".hidden/x":       {Data: []byte("x")},
	}
}

func buildSite(ctx context.Context, src fs.FS, search bool, out output.Sink) (*build.Report, error) {
	return build.Build(ctx, src, build.Options{Offers: capability.Offers{Search: search}}, out)
}

func newToolset(t *testing.T, more func(*agenttools.Options)) *agenttools.Toolset {
	t.Helper()
	base := site()
	opt := agenttools.Options{Tree: draft.New(base), Base: base, Build: buildSite,
		Keep: func() (output.Sink, fs.FS, error) {
			root, err := os.OpenRoot(t.TempDir())
			if err != nil {
				return nil, nil, err
			}
			t.Cleanup(func() { _ = root.Close() })
			return output.NewDir(root), root.FS(), nil
		}}
	if more != nil {
		more(&opt)
	}
	return agenttools.New(opt)
}

// do runs a call and returns its text, prefixed with "failed: " if the call failed.
func do(t *testing.T, d *agenttools.Toolset, name, input string) string {
	t.Helper()
	text, failed, err := d.Do(t.Context(), name, json.RawMessage(input))
	if err != nil {
		t.Fatalf("%s %s: %v", name, input, err)
	}
	if failed {
		return "failed: " + text
	}
	return text
}

func TestToolsReadAndChangeDraft(t *testing.T) {
	for _, c := range []struct {
		tool, input, want string
	}{
		{"list", `{}`, "guides/start.mdx"},
		{"list", ``, "logo.png"},
		{"list", `{"folder": "guides"}`, "guides/next.mdx"},
		{"list", `{"folder": "none"}`, `failed: There is no folder "none"`},
		{"list", `{"folder": "../.."}`, "guides/start.mdx"},
		{"read", `{"path": "index.mdx"}`, "See [the start]"},
		{"read", `{"path": "./index.mdx", "line": 2}`, "title: Welcome"},
		{"read", `{"path": "index.mdx", "line": 99}`, "failed: index.mdx has only"},
		{"read", `{"path": "guides/stort.mdx"}`, "Did you mean guides/start.mdx?"},
		{"read", `{"path": "../etc/passwd"}`, "failed: There is no file"},
		{"read", `{"path": "/etc/passwd"}`, "failed: There is no file"},
		{"read", `{"path": "guides"}`, "failed: guides is a folder"},
		{"read", `{"path": "logo.png"}`, "is not a text file; it has 3 bytes"},
		{"read", `{}`, "failed: path is required."},
		{"read", `{"path": "index.mdx", "x": 1}`, "failed: "},
		{"read", `"index.mdx"`, "failed: "},
		{"read", `{`, "failed: "},
		{"search", `{"query": "teapot"}`, "guides/start#pour"},
		{"search", `{"query": "the teapot is", "exact": true}`, "No file contains this text."},
		{"search", `{"query": "The teapot is", "exact": true}`, "guides/start.mdx:9: The teapot"},
		{"search", `{"query": " "}`, "failed: query is empty."},
		{"edit", `{"path": "index.mdx", "old": "the start", "new": "the beginning"}`, "Replacements in index.mdx: 1."},
		{"edit", `{"path": "guides/start.mdx", "old": "Boil water", "new": "x"}`,
			"failed: The old text occurs 2 times in guides/start.mdx, at lines 5, 5"},
		{"edit", `{"path": "guides/start.mdx", "old": "Boil water", "new": "x", "all": true}`,
			"Replacements in guides/start.mdx: 2."},
		{"edit", `{"path": "guides/next.mdx", "old": "---\n\nDrink.", "new": "---\n\nSip.\n\nDrink."}`,
			"Replacements in guides/next.mdx: 1."},
		{"edit", `{"path": "index.mdx", "old": "nothing", "new": ""}`,
			"failed: The old text does not occur in index.mdx"},
		{"edit", `{"path": "index.mdx", "old": "", "new": "x"}`, "failed: old is empty"},
		{"write", `{"path": "new.mdx", "text": "x"}`, "Wrote new.mdx, 1 bytes."},
		{"write", `{"path": "a.png", "text": "AAE=", "encoding": "base64"}`, "Wrote a.png, 2 bytes."},
		{"write", `{"path": "a.png", "text": "?", "encoding": "base64"}`, "failed: encoding"},
		{"write", `{"path": "../x", "text": "x"}`, `failed: "../x" cannot be written`},
		{"write", `{"path": "/x", "text": "x"}`, `failed: "/x" cannot be written`},
		{"write", `{"path": "guides", "text": "x"}`, `failed: "guides" cannot be written: it is a folder.`},
		{"write", `{"path": "index.mdx/x", "text": "x"}`, `failed: "index.mdx/x" cannot be written`},
		{"delete", `{"path": "logo.png"}`, "Removed logo.png."},
		{"delete", `{"path": "guides"}`, "failed: guides is a folder"},
		{"move", `{"from": "guides/start", "to": "guides/first"}`, "Moved 1 files and changed 2."},
		{"move", `{"from": "none", "to": "x"}`, "failed: "},
		{"move", `{"from": "index.mdx", "to": "../x.mdx"}`, "failed: "},
		{"diff", `{}`, "Nothing has been changed."},
		{"check", `{}`, "The site builds, with 3 pages"},
		{"check", `{"all": true}`, "broken-link"},
		{"plan", `{"steps": "look"}`, "Noted."},
		{"finish", `{"title": " ", "summary": ""}`, "failed: title is empty."},
		{"maintain", `{"task": "nonsense"}`, "failed: "},
		{"shell", `{"command": "id"}`, `failed: Unknown tool "shell". The tools are: list, search,`},
		{"rm -rf", ``, "failed: Unknown tool"},
	} {
		if got := do(t, newToolset(t, nil), c.tool, c.input); !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %s", c.tool, c.input, got)
		}
	}
}

func TestMoveUpdatesReferences(t *testing.T) {
	d := newToolset(t, nil)
	do(t, d, "move", `{"from": "guides/start", "to": "guides/first"}`)
	list, err := d.Tree.Changes()
	if err != nil {
		t.Fatal(err)
	}
	patch := draft.Patch(list)
	for _, want := range []string{"+++ b/guides/first.mdx", "deleted file", "+See [the start](/guides/first).",
		"redirects"} {
		if !strings.Contains(patch, want) {
			t.Errorf("the patch lacks %s:\n%s", want, patch)
		}
	}
	if v, err := d.Check(t.Context()); err != nil || len(v.Broken) > 0 {
		t.Errorf("%v %v", v, err)
	}
}

// G8: existing findings are not attributed to a change. New findings are, wherever they occur.
func TestOnlyNewProblemsAreAttributedToChanges(t *testing.T) {
	d := newToolset(t, nil)
	if v, err := d.Check(t.Context()); err != nil || len(v.Broken) != 0 || v.Before == 0 {
		t.Fatalf("%+v %v", v, err)
	}
	do(t, d, "delete", `{"path": "guides/start.mdx"}`)
	v, err := d.Check(t.Context())
	if err != nil || len(v.Broken) == 0 {
		t.Fatalf("%+v %v", v, err)
	}
	found := false
	for _, b := range v.Broken {
		found = found || b.File == "index.mdx" && b.Code == "broken-link"
	}
	if !found || !strings.Contains(v.String(), "index.mdx:5") {
		t.Errorf("%s", v)
	}
	do(t, d, "edit", `{"path": "index.mdx", "old": "[the start](/guides/start)", "new": "<Card"}`)
	if v, _ := d.Check(t.Context()); !strings.Contains(v.String(), "index.mdx") {
		t.Errorf("%s", v)
	}
}

// G1: limits apply to every tool, and a call that exceeds them changes nothing.
func TestLimitsAreEnforced(t *testing.T) {
	d := newToolset(t, func(o *agenttools.Options) { o.MaxFiles, o.MaxBytes = 2, 200 })
	do(t, d, "write", `{"path": "a.mdx", "text": "a"}`)
	if got := do(t, d, "move", `{"from": "guides/start", "to": "guides/first"}`); !strings.HasPrefix(got,
		"failed: This would change") {
		t.Error(got)
	}
	if got := do(t, d, "write", `{"path": "b.mdx", "text": "`+strings.Repeat("x", 300)+`"}`); !strings.HasPrefix(got,
		"failed: The changed files would have") {
		t.Error(got)
	}
	list, err := d.Tree.Changes()
	if err != nil || len(list) != 1 || list[0].Path != "a.mdx" {
		t.Errorf("%v %v", list, err)
	}
}

func TestRefusedFilesAreUnchanged(t *testing.T) {
	d := newToolset(t, func(o *agenttools.Options) {
		o.Refuse = func(c draft.Change) string {
			if c.Path == "docs.json" {
				return "because"
			}
			return ""
		}
	})
	for _, call := range [][2]string{{"write", `{"path": "docs.json", "text": "x"}`},
		{"delete", `{"path": "docs.json"}`}, {"move", `{"from": "guides/start", "to": "guides/first"}`},
		{"edit", `{"path": "docs.json", "old": "Kettle", "new": "Pot"}`}} {
		if got := do(t, d, call[0], call[1]); got != "failed: docs.json may not be changed: because" {
			t.Errorf("%v: %s", call, got)
		}
	}
	if list, err := d.Tree.Changes(); err != nil || len(list) != 0 {
		t.Errorf("%v %v", list, err)
	}
}

// G9: repeating the recorded calls produces the same files.
func TestRepeatedCallsGiveTheSameDraft(t *testing.T) {
	made := [][2]string{{"read", `{"path": "index.mdx"}`}, {"move", `{"from": "guides/start", "to": "guides/first"}`},
		{"edit", `{"path": "index.mdx", "old": "See", "new": "Read"}`},
		{"write", `{"path": "x.mdx", "text": "x"}`}, {"delete", `{"path": "logo.png"}`},
		{"finish", `{"title": "T", "summary": "S"}`}}
	one, two := newToolset(t, nil), newToolset(t, nil)
	for _, c := range made {
		do(t, one, c[0], c[1])
		if err := two.Repeat(t.Context(), c[0], json.RawMessage(c[1])); err != nil {
			t.Fatal(err)
		}
	}
	a, _ := one.Tree.Changes()
	b, _ := two.Tree.Changes()
	if draft.Patch(a) != draft.Patch(b) || len(a) == 0 {
		t.Error("the drafts differ")
	}
	if title, summary, ok := two.Finished(); title != "T" || summary != "S" || !ok {
		t.Error(title, summary, ok)
	}
}

func TestShellChangesAreKept(t *testing.T) {
	d := newToolset(t, func(o *agenttools.Options) {
		o.Shell = func(_ context.Context, command string, _ *draft.Tree) (string, []draft.Change, error) {
			return "ran " + command, []draft.Change{{Path: "s.mdx", After: []byte("s")}}, nil
		}
	})
	if got := do(t, d, "shell", `{"command": "make"}`); !strings.Contains(got, "ran make") {
		t.Error(got)
	}
	if e := d.Effects(); len(e) != 1 || e[0].Path != "s.mdx" || len(d.Effects()) != 0 {
		t.Errorf("%v", e)
	}
}

func FuzzDo(f *testing.F) {
	f.Add("edit", `{"path": "index.mdx", "old": "a", "new": "b"}`)
	f.Add("write", `{"path": "../x", "text": "a"}`)
	f.Add("move", `{"from": "guides", "to": "x"}`)
	f.Fuzz(func(t *testing.T, name, input string) {
		base := site()
		d := agenttools.New(agenttools.Options{Tree: draft.New(base), Base: base, Build: buildSite})
		if _, _, err := d.Do(t.Context(), name, json.RawMessage(input)); err != nil {
			t.Fatalf("%s %s: %v", name, input, err)
		}
		list, err := d.Tree.Changes()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			if !fs.ValidPath(c.Path) || c.Path == "." {
				t.Fatalf("%q was changed", c.Path)
			}
		}
	})
}

// G1: a replacement that would exhaust the machine's memory is refused before it is made.
func TestReplacementLargerThanLimitIsRefused(t *testing.T) {
	huge := strings.Repeat("e", 1<<20)
	for _, most := range []int64{0, 8 << 20} {
		d := newToolset(t, func(o *agenttools.Options) { o.MaxBytes = most })
		for range 2 {
			if text, failed, err := d.Do(t.Context(), "write",
				json.RawMessage(`{"path": "long.mdx", "text": "`+huge+`"}`)); err != nil || failed {
				t.Fatal(text, err)
			}
		}
		text, failed, err := d.Do(t.Context(), "edit",
			json.RawMessage(`{"path": "long.mdx", "old": "e", "new": "`+huge+`", "all": true}`))
		if err != nil || !failed || !strings.Contains(text, "the limit") {
			t.Errorf("%.200s %v", text, err)
		}
	}
}

// G5: text that a finding quotes from a page is marked as untrusted.
func TestFindingsAreMarkedAsUntrusted(t *testing.T) {
	d := newToolset(t, nil)
	do(t, d, "edit", `{"path": "index.mdx", "old": "/guides/start", "new": "/obey-me-now"}`)
	for _, input := range []string{`{}`, `{"all": true}`} {
		text := do(t, d, "check", input)
		from := strings.Index(text, "<untrusted ")
		if at := strings.Index(text, "/obey-me-now"); from < 0 || at < from {
			t.Errorf("%s: %s", input, text)
		}
	}
	if v, err := d.Check(t.Context()); err != nil || strings.Contains(v.String(), "untrusted") ||
		!strings.Contains(v.String(), "/obey-me-now") {
		t.Errorf("%v %v", v, err)
	}
}

// Check runs the code samples of changed pages. Failures that the unchanged page already had are not attributed to the
// changes.
func TestCheckRunsCodeSamplesOfChangedPages(t *testing.T) {
	languages, err := codesample.ParseLanguages([]string{"sh"})
	if err != nil {
		t.Fatal(err)
	}
	d := newToolset(t, func(o *agenttools.Options) {
		base := site()
		base["guides/next.mdx"].Data = []byte("---\ntitle: Next\n---\n\n```sh test={true}\nexit 4\n```\n")
		o.Base, o.Tree = base, draft.New(base)
		o.Samples = func(ctx context.Context, src, base fs.FS) (diag.List, int, error) {
			result, err := codesample.Check(ctx, src, codesample.Options{Languages: languages, Base: base, Runner: sandbox.Bare{},
				Folder: func() (string, func() error, error) {
					dir, err := os.MkdirTemp(t.TempDir(), "")
					return dir, func() error { return os.RemoveAll(dir) }, err
				}})
			return result.Findings, result.Ran, err
		}
	})
	if text := do(t, d, "check", `{}`); strings.Contains(text, "samples") {
		t.Errorf("without changes: %s", text)
	}
	do(t, d, "edit", `{"path": "guides/next.mdx", "old": "title: Next", "new": "title: Then"}`)
	if v, err := d.Check(t.Context()); err != nil || len(v.Broken) > 0 || v.Samples != 1 {
		t.Errorf("an existing failure: %+v, %v", v, err)
	}
	do(t, d, "edit", "{\"path\": \"index.mdx\", \"old\": \"See\", \"new\": \"```sh test={true}\\necho why; exit 3\\n```\\n\\nSee\"}")
	if text := do(t, d, "check", `{}`); !strings.Contains(text, "exit code 3. [sample-failed]") || !strings.Contains(text, "It printed: why") ||
		strings.Contains(text, "exit code 4") {
		t.Errorf("a sample that fails: %s", text)
	}
}
