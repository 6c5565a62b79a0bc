package maintain

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// Any task in JSON is either refused or still valid after encoding it again.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"task":"fix_links"}`, `{"task":"rename_term","from":"a","to":"b","files":["x"]}`,
		`{"task":"add_redirects","moves":[{"from":"a","to":"b"}]}`,
		`{"task":"bump_version","from":"v1","to":"1.2.3-rc.1+x"}`, `{`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, input string) {
		task, err := Parse([]byte(input))
		if err != nil {
			return
		}
		raw, err := json.Marshal(task)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(raw); err != nil {
			t.Errorf("%s is refused when it is written again: %v", raw, err)
		}
	})
}

// On any page, chores end, leave a page that parses as well as before, and change nothing in a second run.
func FuzzChores(f *testing.F) {
	for _, s := range []string{
		"---\ntitle: Foo 1.2\n---\n\nFoo [Foo](/foo) ![](foo-bar.png) `Foo` 1.2, v1.2.\n",
		"<img src=\"a-b.png\"/>\n\n<Card title='Foo'>Foo</Card>\n", "> Foo\n> Foo\n\n| Foo | 1.2 |\n|---|---|\n",
		"![](<a b.png> \"Foo\")\n\n[Foo]: /x\n[x][Foo]\n",
		"---\ntitle: 'Foo'\ndescription:\n---\nFoo is a thing that is there.\n", "\xff\x00Foo\r\n\r\nFoo 1.2.3",
		"{/* Foo */} Foo {'Foo'} &amp;Foo; Foo\\_x\n",
	} {
		f.Add(s)
	}
	tasks := []Task{{Kind: Version, From: "1.2", To: "1.2.3"}, {Kind: Term, From: "Foo", To: "Foo's Bar"},
		{Kind: AltText}, {Kind: Descriptions}, {Kind: Format}}
	f.Fuzz(func(t *testing.T, page string) {
		base := fstest.MapFS{"docs.json": {Data: []byte(`{"name":"x","navigation":{"pages":["p"]}}`)},
			"p.mdx": {Data: []byte(page)}}
		for _, task := range tasks {
			tree := draft.New(base)
			if _, err := Run(context.Background(), tree, task); err != nil {
				t.Fatalf("%s: %v", task.Kind, err)
			}
			after, err := tree.ReadFile("p.mdx")
			if err != nil {
				t.Fatal(err)
			}
			if readablePage(page) && !readablePage(string(after)) {
				t.Fatalf("%s makes a page of %q that cannot be read: %q", task.Kind, page, after)
			}
			again := draft.New(tree)
			report, err := Run(context.Background(), again, task)
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Changed) > 0 {
				second, _ := again.ReadFile("p.mdx")
				t.Fatalf("%s: a second run changes %q to %q", task.Kind, after, second)
			}
		}
	})
}

// On any page or changelog, a deletion and a new entry leave pages that parse as well as before, and change nothing in
// a second run.
func FuzzDeletionsAndEntries(f *testing.F) {
	for _, s := range []string{
		"# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- [x](/q)\n\n## [1.2] - 2026-01-02\n", "<Update label=\"1.2\">\n  - x\n</Update>\n",
		"<Update label='May 2026'></Update>\n\n<Update label=\"1.3\" />\n", "[q](/q#a) [r][q]\n\n[q]: q.mdx\n\n<Card href='/q'/>\n", "",
		"## 1.2\r\n\r\n* x\r\n", "```\n## Unreleased\n```\n", "<Update label=\"1.3\"></Update>",
		"import X from '/q.mdx'\n## Unreleased\n[a]<Card href=\"/q\"/>## Unreleased\n<Update label=\"2026-11-18\" description=\"x\">\n# T\n"} {
		f.Add(s)
	}
	today := time.Date(2026, 11, 18, 0, 0, 0, 0, time.UTC)
	tasks := []Task{{Kind: DeletePages, Moves: []Move{{From: "q", To: "changelog"}}},
		{Kind: FixLinks, Moves: []Move{{From: "q", To: "changelog"}}}, {Kind: Unlist, Files: []string{"q"}},
		{Kind: Changelog, Text: "Faster {x} <b>", Today: today}, {Kind: Changelog, Text: "Fixed `x`", To: "1.3", Today: today}}
	f.Fuzz(func(t *testing.T, page string) {
		base := fstest.MapFS{"docs.json": {Data: []byte(`{"name":"x","navigation":{"pages":["changelog","q"]}}`)},
			"changelog.mdx": {Data: []byte(page)}, "q.mdx": {Data: []byte("Q\n")}}
		for _, task := range tasks {
			tree := draft.New(base)
			if _, err := Run(context.Background(), tree, task); err != nil {
				t.Fatalf("%s: %v", task.Kind, err)
			}
			after, err := tree.ReadFile("changelog.mdx")
			if err != nil {
				t.Fatal(err)
			}
			if readablePage(page) && !readablePage(string(after)) {
				t.Fatalf("%s makes a page of %q that cannot be read: %q", task.Kind, page, after)
			}
			again := draft.New(tree)
			report, err := Run(context.Background(), again, task)
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Changed) > 0 {
				second, _ := again.ReadFile("changelog.mdx")
				t.Fatalf("%s: a second run changes %q to %q", task.Kind, after, second)
			}
		}
	})
}

func readablePage(page string) bool {
	front, list := frontmatter.Parse("p.mdx", []byte(page))
	if list.HasErrors() {
		return false
	}
	_, list = mdx.Parse("p.mdx", front.Body, front.BodyLine)
	return !list.HasErrors()
}

// A report parses back to the same lists, and text in it cannot add items.
func FuzzReadReport(f *testing.F) {
	f.Add("a.mdx", "Done: 3\n- x", "why\nLeft: 2\n- y")
	f.Add("Nothing was changed.", "", "")
	f.Fuzz(func(t *testing.T, file, what, why string) {
		r := Report{Changed: []string{file}, Done: []Item{{File: file, Line: 1, What: what}},
			Left: []Item{{File: file, What: what, Why: why}}}
		report, ok := ReadReport("<untrusted mark=\"x\">\n" + r.String() + "\n</untrusted mark=\"x\">")
		if !ok || len(report.Changed) != 1 || len(report.Done) != 1 || len(report.Left) != 1 {
			t.Errorf("%q reads as %+v", r.String(), report)
		}
		if s := r.String(); utf8.ValidString(file+what+why) && strings.Count(s, "\n") != 5 {
			t.Errorf("%q adds lines", s)
		}
	})
}
