package rename

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

func folder(files ...string) fstest.MapFS {
	out := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		out[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return out
}

// apply executes a plan in memory.
func apply(t *testing.T, src fstest.MapFS, plan *Plan) fstest.MapFS {
	t.Helper()
	out := maps.Clone(src)
	for _, m := range plan.Moves {
		delete(out, m.From)
	}
	for _, m := range plan.Moves {
		out[m.To] = src[m.From]
	}
	for _, e := range plan.Edits {
		if out[e.File] == nil || !bytes.Equal(out[e.File].Data, e.Before) {
			t.Errorf("the edit of %s does not start from the file's content", e.File)
		}
		out[e.File] = &fstest.MapFile{Data: e.After}
	}
	return out
}

func garden() fstest.MapFS {
	return folder(
		"docs.json",
		"{\n  \"name\": \"Garden\",   // spaced\n  \"navigation\": {\n    \"groups\": [\n      {\"group\": \"guides\", \"pages\": [\"index\",  \"guides/start\", \"/guides/next\"]}, {\"$ref\": \"./nav/more.json\"}\n    ]\n  },\n  \"navbar\": {\"links\": [{\"label\": \"guides/start\", \"href\": \"/guides/start#go\"}]},\n  \"redirects\": [\n    { \"source\": \"/was\", \"destination\": \"/guides/start\" },\n    { \"source\": \"/begin\", \"destination\": \"/guides/next\" }\n  ]\n}\n",
		"nav/more.json", `{"group": "More", "pages": ["guides/deep/end"]}`,
		"index.mdx",
		"---\ntitle: Home\nrelated: [guides/start, other]\n---\n\nimport Note from '/snippets/note.mdx'\n\n[a](/guides/start) [b](guides/start#go) [c](./guides/start.mdx?x=1) [d][d] `/guides/start`\n\n<Card href=\"/guides/start\" title=\"/guides/start\" /> <a href={\"/guides/start\"}>x</a> ![i](/guides/pic.svg)\n\n```\n[a](/guides/start)\n```\n\n[d]: /guides/start \"T\"\n",
		"guides/start.mdx",
		"---\ntitle: Start\n---\n\n[next](./next) [next](next#x) [end](deep/end) [home](../index) ![p](pic.svg) [abs](/guides/next) [self](#here) [web](https://example.com/guides/start)\n\n<ParamField path=\"/guides/start\" />\n",
		"guides/next.mdx", "[start](./start)\n",
		"guides/deep/end.mdx", "[start](../start) [next](/guides/next)\n",
		"guides/pic.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
		"snippets/note.mdx", "import { Box } from './box.jsx'\n\n[s](/guides/start) [rel](guides/start) <Box />\n",
		"snippets/box.jsx", "export const Box = () => <a href=\"/guides/start\">x</a>\n",
	)
}

func TestMoveChangesOnlyReferencesToThePage(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		moves          string
		want           map[string][2]string // file → text before, text after; every other byte is unchanged
	}{
		{"page", "guides/start", "begin", "guides/start.mdx>begin.mdx", map[string][2]string{
			"index.mdx": {
				"related: [guides/start, other]|[a](/guides/start) [b](guides/start#go) [c](./guides/start.mdx?x=1)|<Card href=\"/guides/start\"|<a href={\"/guides/start\"}|[d]: /guides/start \"T\"",
				"related: [begin, other]|[a](/begin) [b](begin#go) [c](./begin.mdx?x=1)|<Card href=\"/begin\"|<a href={\"/begin\"}|[d]: /begin \"T\"",
			},
			"begin.mdx": {
				"[next](./next) [next](next#x) [end](deep/end) [home](../index) ![p](pic.svg)",
				"[next](./guides/next) [next](guides/next#x) [end](guides/deep/end) [home](index) ![p](guides/pic.svg)",
			},
			"guides/next.mdx":     {"(./start)", "(../begin)"},
			"guides/deep/end.mdx": {"(../start)", "(../../begin)"},
			"snippets/note.mdx":   {"[s](/guides/start)", "[s](/begin)"},
			"snippets/box.jsx":    {"/guides/start", "/begin"},
			"docs.json": {
				"\"guides/start\", \"/guides/next\"|\"href\": \"/guides/start#go\"|\"destination\": \"/guides/start\" },\n    { \"source\": \"/begin\", \"destination\": \"/guides/next\" }",
				"\"begin\", \"/guides/next\"|\"href\": \"/begin#go\"|\"destination\": \"/begin\" },\n    { \"source\": \"/guides/start\", \"destination\": \"/begin\" }",
			},
		}},
		{"folder", "guides", "book/one",
			"guides/deep/end.mdx>book/one/deep/end.mdx guides/next.mdx>book/one/next.mdx guides/pic.svg>book/one/pic.svg guides/start.mdx>book/one/start.mdx", map[string][2]string{
				"index.mdx": {
					"related: [guides/start, other]|[a](/guides/start) [b](guides/start#go) [c](./guides/start.mdx?x=1)|<Card href=\"/guides/start\"|<a href={\"/guides/start\"}|(/guides/pic.svg)|[d]: /guides/start \"T\"",
					"related: [book/one/start, other]|[a](/book/one/start) [b](book/one/start#go) [c](./book/one/start.mdx?x=1)|<Card href=\"/book/one/start\"|<a href={\"/book/one/start\"}|(/book/one/pic.svg)|[d]: /book/one/start \"T\"",
				},
				"book/one/start.mdx":    {"(../index)|[abs](/guides/next)", "(../../index)|[abs](/book/one/next)"},
				"book/one/next.mdx":     {"", ""},
				"book/one/deep/end.mdx": {"(/guides/next)", "(/book/one/next)"},
				"snippets/note.mdx":     {"[s](/guides/start)", "[s](/book/one/start)"},
				"snippets/box.jsx":      {"/guides/start", "/book/one/start"},
				"nav/more.json":         {"guides/deep/end", "book/one/deep/end"},
				"docs.json": {
					"\"guides/start\", \"/guides/next\"|\"href\": \"/guides/start#go\"|\"destination\": \"/guides/start\"|\"destination\": \"/guides/next\" }",
					"\"book/one/start\", \"/book/one/next\"|\"href\": \"/book/one/start#go\"|\"destination\": \"/book/one/start\"|\"destination\": \"/book/one/next\" },\n    { \"source\": \"/guides/:slug*\", \"destination\": \"/book/one/:slug*\" }",
				},
			}},
		{"snippet", "snippets/note.mdx", "snippets/deep/", "snippets/note.mdx>snippets/deep/note.mdx",
			map[string][2]string{
				"index.mdx":              {"'/snippets/note.mdx'", "'/snippets/deep/note.mdx'"},
				"snippets/deep/note.mdx": {"'./box.jsx'", "'../box.jsx'"},
			}},
		{"image", "guides/pic.svg", "images/p.svg", "guides/pic.svg>images/p.svg", map[string][2]string{
			"index.mdx":        {"(/guides/pic.svg)", "(/images/p.svg)"},
			"guides/start.mdx": {"(pic.svg)", "(../images/p.svg)"},
		}},
		{"code", "snippets/box.jsx", "parts/box.jsx", "snippets/box.jsx>parts/box.jsx", map[string][2]string{
			"snippets/note.mdx": {"'./box.jsx'", "'../parts/box.jsx'"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := garden()
			plan, err := New(t.Context(), src, Options{Old: c.old, New: c.new})
			if err != nil {
				t.Fatal(err)
			}
			var moves []string
			from := map[string]string{}
			for _, m := range plan.Moves {
				moves, from[m.To] = append(moves, m.From+">"+m.To), m.From
			}
			if got := strings.Join(moves, " "); got != c.moves {
				t.Errorf("moves %s, want %s", got, c.moves)
			}
			after := apply(t, src, plan)
			for name, f := range after {
				was := name
				if old, ok := from[name]; ok {
					was = old
				}
				want := string(src[was].Data)
				if swap, ok := c.want[name]; ok && swap[0] != "" {
					olds, news := strings.Split(swap[0], "|"), strings.Split(swap[1], "|")
					for i := range olds {
						want = strings.Replace(want, olds[i], news[i], 1)
					}
				}
				if string(f.Data) != want {
					t.Errorf("%s is\n%s\nwant\n%s", name, f.Data, want)
				}
			}
		})
	}
}

// Pages generated from an API description into a folder move together with that folder.
func TestGeneratedPagesMoveWithTheirFolder(t *testing.T) {
	src := folder("docs.json",
		`{"navigation": {"groups": [{"group": "A", "openapi": {"source": "/api/spec.json", "directory": "api/made"}}, {"group": "B", "pages": ["api/intro", "index"]}]}}`,
		"api/spec.json",
		`{"openapi": "3.1.0", "info": {"title": "P", "version": "1"}, "paths": {"/pets": {"get": {"summary": "List pets", "responses": {"200": {"description": "ok"}}}}}}`,
		"api/intro.mdx", "[made](/api/made/list-pets)", "index.mdx", "[made](/api/made/list-pets)")
	before := findings(t, src)
	for _, d := range before {
		if d.Code == "broken-link" {
			t.Fatalf("the test's own link is wrong: %s", d)
		}
	}
	plan, err := New(t.Context(), src, Options{Old: "api", New: "reference"})
	if err != nil {
		t.Fatal(err)
	}
	after := apply(t, src, plan)
	if got := string(after["index.mdx"].Data); got != "[made](/reference/made/list-pets)" {
		t.Errorf("got %s", got)
	}
	for _, d := range findings(t, after) {
		if strings.HasPrefix(d.Code, "broken-") || strings.HasPrefix(d.Code, "spec-") || d.Code == "missing-page" {
			t.Errorf("%s\n%s", d, after["docs.json"].Data)
		}
	}
}

func TestImpossibleMoveIsRefused(t *testing.T) {
	for _, c := range []struct {
		old, new string
		kind     fault.Kind
	}{
		{"gone", "b", fault.NotFound}, {"guides/start", "guides/next", fault.Conflict},
		{"guides/start", "guides/next.md", fault.Conflict},
		{"guides", "snippets", fault.Conflict}, {"guides", "guides/deep/more", fault.Invalid},
		{"guides/start", "../out", fault.Invalid},
		{"../etc", "b", fault.Invalid}, {"docs.json", "b.json", fault.Invalid}, {"nav", "other", fault.Invalid},
		{"", "b", fault.Invalid},
		{"guides/start", "guides/start.mdx", fault.Invalid}, {"guides/start", ".hidden/x", fault.Invalid},
	} {
		plan, err := New(t.Context(), garden(), Options{Old: c.old, New: c.new})
		if !fault.Is(err, c.kind) {
			t.Errorf("%s to %s: %v, %v", c.old, c.new, plan, err)
		}
	}
}

type nowhere struct{}

func (nowhere) Put(context.Context, output.File) error { return nil }

func findings(t *testing.T, src fs.FS) diag.List {
	t.Helper()
	r, err := build.Build(t.Context(), src, build.Options{Links: link.Clean}, nowhere{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Diagnostics
}

// Moving files in our own docs breaks no link that worked before.
func TestMovesKeepLinksInOurDocsValid(t *testing.T) {
	src := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS("../../../docs"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile("../../../docs/" + name)
		src[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	count := func(list diag.List) (n int) {
		for _, d := range list {
			if strings.HasPrefix(d.Code, "broken-") || strings.HasPrefix(d.Code, "missing-") ||
				strings.Contains(d.Code, "redirect") || strings.HasPrefix(d.Code, "spec-") {
				n++
			}
		}
		return n
	}
	before := findings(t, src)
	for _, step := range [][2]string{
		{"quickstart", "start/first-steps"}, {"guides", "handbook"}, {"reference/cli", "commands"},
		{"handbook/check", "reference/check.mdx"},
		{"components", "write/parts"}, {"images", "assets/pictures"}, {"snippets", "shared/snippets"},
		{"start/first-steps", "quickstart"}, {"reference", "ref"},
	} {
		if _, err := fs.Stat(src, step[0]); err != nil && src[step[0]+".mdx"] == nil {
			t.Errorf("the docs no longer have %s", step[0])
			continue
		}
		plan, err := New(t.Context(), src, Options{Old: step[0], New: step[1]})
		if err != nil {
			t.Fatal(err)
		}
		src = apply(t, src, plan)
		if after := findings(t, src); count(after) > count(before) {
			t.Fatalf("after %v: %v", step,
				slices.DeleteFunc(after, func(d diag.Diagnostic) bool { return slices.Contains(before, d) }))
		}
	}
}

// FuzzReferencesStayValid checks that for any page and site file, a plan is either refused or leaves files that can
// still be parsed.
func FuzzReferencesStayValid(f *testing.F) {
	f.Add("[a](/x) <A href='/x' />", `{"redirects": [{"source": "/x", "destination": "/y"}]}`)
	f.Add("[d]: </x>\n\n[d]", `{"navigation": ["x", {"$ref": "x.json"}], /* c */}`)
	f.Fuzz(func(t *testing.T, page, site string) {
		src := folder("docs.json", site, "x.mdx", page, "index.mdx", page)
		plan, err := New(t.Context(), src, Options{Old: "x", New: "deep/z"})
		if err != nil {
			return
		}
		for _, e := range plan.Edits {
			if e.File == "docs.json" {
				if _, err := parseJSON("docs.json", string(e.After)); err != nil {
					t.Errorf("%v in\n%s\nfrom\n%s", err, e.After, e.Before)
				}
			}
		}
	})
}

// A restricted page is not part of the site, but it moves like any other page.
func TestRestrictedPageMovesLikeOthers(t *testing.T) {
	src := folder("docs.json", `{"name": "x", "navigation": {"pages": ["index", "staff/plan"]}}`,
		"index.mdx", "[plan](staff/plan)\n", "staff/plan.mdx", "---\ngroups: [staff]\n---\n\n[home](../index)\n")
	plan, err := New(t.Context(), src, Options{Old: "staff/plan", New: "plan"})
	if err != nil {
		t.Fatal(err)
	}
	got := apply(t, src, plan)
	for file, want := range map[string]string{"docs.json": `["index", "plan"]`, "index.mdx": "[plan](plan)",
		"plan.mdx": "[home](index)"} {
		if got[file] == nil || !strings.Contains(string(got[file].Data), want) {
			t.Errorf("%s lacks %s: %s", file, want, got[file])
		}
	}
}

// A file is rewritten completely or not at all.
func TestOversizedFileIsUnchanged(t *testing.T) {
	src := garden()
	for _, name := range []string{"large.mdx", "large.js"} {
		text := "[a](/guides/start)\n\n<a href=\"/guides/start\" />\n\n" + strings.Repeat("x", maxSource)
		src[name] = &fstest.MapFile{Data: []byte(text)}
	}
	plan, err := New(t.Context(), src, Options{Old: "guides/start", New: "guides/first"})
	if err != nil {
		t.Fatal(err)
	}
	out, notes := apply(t, src, plan), strings.Join(plan.Notes, "\n")
	for _, name := range []string{"large.mdx", "large.js"} {
		if !bytes.Equal(out[name].Data, src[name].Data) || !strings.Contains(notes, name) {
			t.Errorf("%s has %d bytes of %d; notes %s", name, len(out[name].Data), len(src[name].Data), notes)
		}
	}
}
