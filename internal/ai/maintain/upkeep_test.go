package maintain

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/site/output"
)

var update = flag.Bool("update", false, "rewrite the wanted parts of the cases")

// section matches the start of a file in a case: in/… is the folder before the task, want/… the files that differ
// afterwards, report the expected report.
var section = regexp.MustCompile(`(?m)^-- (.+) --\n`)

type golden struct {
	task   string
	in     fstest.MapFS
	want   map[string]string
	report string
}

func readCase(t *testing.T, file string) golden {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	marks := section.FindAllStringSubmatchIndex(text, -1)
	g := golden{task: strings.TrimSpace(text[:marks[0][0]]), in: fstest.MapFS{}, want: map[string]string{}}
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		name, content := text[m[2]:m[3]], text[m[1]:end]
		if in, ok := strings.CutPrefix(name, "in/"); ok {
			g.in[in] = &fstest.MapFile{Data: []byte(content)}
		} else if want, ok := strings.CutPrefix(name, "want/"); ok {
			g.want[want] = content
		} else {
			g.report = content
		}
	}
	return g
}

// builder builds with tools shared by all cases.
func builder(t *testing.T) Build {
	t.Helper()
	tools, err := build.NewTools()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tools.Close() })
	return func(ctx context.Context, src fs.FS, _ bool, out output.Sink) (*build.Report, error) {
		return build.Build(ctx, src, build.Options{Tools: tools, Workers: 2, Scripts: jsrun.Host{Off: true}}, out)
	}
}

// run runs a task on a folder and returns the changed files and the report.
func run(t *testing.T, in fs.FS, task string, build Build) (*draft.Tree, Report) {
	t.Helper()
	tree := draft.New(in)
	parsed, err := Parse([]byte(task))
	if err != nil {
		t.Fatalf("parse task: %v", err)
	}
	parsed.Build, parsed.Today = build, time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)
	report, err := Run(context.Background(), tree, parsed)
	if err != nil {
		t.Fatalf("run task: %v", err)
	}
	return tree, report
}

func changes(t *testing.T, tree *draft.Tree) []draft.Change {
	t.Helper()
	list, err := tree.Changes()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// G11: each case produces exactly the expected changes and report, and a second run changes nothing.
func TestChoresProduceExpectedChanges(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) < len(Kinds()) {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	build := builder(t)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			g := readCase(t, file)
			tree, report := run(t, g.in, g.task, build)
			list := changes(t, tree)
			if *update {
				rewrite(t, file, g, list, report)
				return
			}
			if got := report.String() + "\n"; got != g.report {
				t.Errorf("report:\n%s\nwant:\n%s", got, g.report)
			}
			for _, c := range list {
				want, ok := g.want[c.Path]
				if !ok || want != string(c.After) {
					t.Errorf("%s:\n%s", c.Path,
						draft.Patch([]draft.Change{{Path: c.Path, Before: []byte(want), After: c.After}}))
				}
				delete(g.want, c.Path)
			}
			for name := range g.want {
				t.Errorf("%s was not changed", name)
			}
			again, second := run(t, tree, g.task, build)
			if left := changes(t, again); len(left) > 0 || len(second.Changed) > 0 {
				t.Errorf("a second run changes more:\n%s\n%s", draft.Patch(left), second)
			}
			if _, other := run(t, g.in, g.task, build); other.String() != report.String() {
				t.Errorf("another run on the same folder gives a different report:\n%s", other)
			}
		})
	}
}

// rewrite writes a case with its actual results.
func rewrite(t *testing.T, file string, g golden, list []draft.Change, report Report) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, m := range section.FindAllStringSubmatchIndex(text, -1) {
		if name := text[m[2]:m[3]]; !strings.HasPrefix(name, "in/") {
			text = text[:m[0]]
			break
		}
	}
	for _, c := range list {
		text += fmt.Sprintf("-- want/%s --\n%s", c.Path, c.After)
	}
	text += "-- report --\n" + report.String() + "\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestInvalidTaskErrorNamesTheField(t *testing.T) {
	for input, field := range map[string]string{
		`{}`:                           "task",
		`{"task":"dance"}`:             "task",
		`{"task":"format"} x`:          "task",
		`{"task":"format","x":1}`:      "task",
		`[]`:                           "task",
		`{"task":"format","from":"a"}`: "from",
		`{"task":"format","moves":[{"from":"a","to":"b"}]}`:                 "moves",
		`{"task":"format","files":[""]}`:                                    "files",
		`{"task":"format","files":["a\nb"]}`:                                "files",
		`{"task":"add_redirects","files":["a"]}`:                            "files",
		`{"task":"add_redirects","moves":[{"from":"a"}]}`:                   "moves",
		`{"task":"delete_pages"}`:                                           "moves",
		`{"task":"delete_pages","moves":[{"to":"a"}]}`:                      "moves",
		`{"task":"delete_pages","files":["a"],"moves":[{"from":"a"}]}`:      "files",
		`{"task":"remove_from_navigation"}`:                                 "files",
		`{"task":"add_changelog_entry"}`:                                    "text",
		`{"task":"add_changelog_entry","text":"a\nb"}`:                      "text",
		`{"task":"add_changelog_entry","text":"a","to":"next"}`:             "to",
		`{"task":"add_changelog_entry","text":"a","from":"1.2.3"}`:          "from",
		`{"task":"add_changelog_entry","text":"a","moves":[{"from":"a"}]}`:  "moves",
		`{"task":"format","text":"a"}`:                                      "text",
		`{"task":"bump_version","from":"1.2.3"}`:                            "to",
		`{"task":"bump_version","from":"1.2.3","to":"1.2.3"}`:               "to",
		`{"task":"bump_version","from":"one","to":"two"}`:                   "from",
		`{"task":"bump_version","from":"12","to":"13"}`:                     "from",
		`{"task":"bump_version","from":"1.2.","to":"1.3"}`:                  "from",
		`{"task":"rename_term","from":"a","to":"<b>"}`:                      "from",
		`{"task":"rename_term","from":"a","to":"b #c"}`:                     "from",
		`{"task":"rename_term","from":"a","to":"b  c"}`:                     "from",
		`{"task":"rename_term","from":"12","to":"13"}`:                      "from",
		`{"task":"rename_term","to":"b"}`:                                   "from",
		`{"task":"format","files":"` + strings.Repeat("a", maxInput) + `"}`: "task",
	} {
		_, err := Parse([]byte(input))
		f, ok := fault.As(err)
		if !ok || f.Field != field || f.Kind != fault.Invalid {
			t.Errorf("%.80s: %v", input, err)
		}
	}
}

func TestMissingFileIsAFault(t *testing.T) {
	in := fstest.MapFS{"index.mdx": {Data: []byte("# A\n")}}
	for _, kind := range []Kind{Format, AltText, Descriptions, FixLinks} {
		_, err := Run(context.Background(), draft.New(in), Task{Kind: kind, Files: []string{"guides/none"}})
		if f, ok := fault.As(err); !ok || f.Field != "files" {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestTaskStopsAtLimitsAndReportsIt(t *testing.T) {
	in := fstest.MapFS{}
	for i := range 5 {
		in[fmt.Sprintf("p%d.mdx", i)] = &fstest.MapFile{Data: []byte("* a\n")}
	}
	for name, task := range map[string]Task{"files": {Kind: Format, MaxFiles: 2},
		"bytes": {Kind: Format, MaxBytes: 8}} {
		tree := draft.New(in)
		report, err := Run(context.Background(), tree, task)
		if err != nil {
			t.Fatal(err)
		}
		if len(report.Changed) != 2 || len(report.Left) != 1 || !strings.Contains(report.Left[0].Why, "limit") {
			t.Errorf("%s: %+v", name, report)
		}
	}
}

func TestCancelledTaskEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	in := fstest.MapFS{"docs.json": {Data: []byte(`{"name":"x","navigation":{"pages":["index"]}}`)},
		"index.mdx": {Data: []byte("# A\n\n[x](/nope)\n")}}
	for _, task := range []Task{{Kind: FixLinks}, {Kind: Format}, {Kind: Redirects}, {Kind: Descriptions},
		{Kind: AltText}, {Kind: Navigation},
		{Kind: Version, From: "1.2", To: "1.3"}, {Kind: Term, From: "a", To: "b"}} {
		if _, err := Run(ctx, draft.New(in), task); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", task.Kind, err)
		}
	}
}
