package build

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// editedFolder is a docs folder that a test changes randomly.
type editedFolder struct {
	t     *testing.T
	dir   string
	rand  *rand.Rand
	count int
}

func newEditedFolder(t *testing.T, seed uint64) *editedFolder {
	g := &editedFolder{t: t, dir: t.TempDir(), rand: rand.New(rand.NewPCG(seed, 7))}
	g.write("docs.json",
		`{"$schema": "x", "name": "Garden", "theme": "mint", "colors": {"primary": "#123456"}, "navigation": {"pages": ["index", "a/one", "a/two"]}}`)
	g.write("index.mdx",
		"---\ntitle: Home\n---\n\nimport Note from '/snippets/note.mdx'\n\n<Note />\n\n[one](/a/one#top) ![pic](/images/p.svg)\n")
	g.write("a/one.mdx", "---\ntitle: One\n---\n\n## Top\n\n[two](./two) [gone](/gone)\n")
	g.write("a/two.mdx", "# Two\n\nimport { v } from '/snippets/data.mdx'\n\n{v}\n")
	g.write("b/code.mdx", "import { Box } from '/snippets/box.jsx'\n\n<Box />\n\n{{v}} $x^2$ <Icon icon=\"star\" />\n")
	g.write("b/late.mdx",
		"import { Late } from '/snippets/late'\n\n<Late />\n\n<Snippet file=\"late.mdx\" />\n\n[late](/images/late.svg)\n")
	g.write("b/skill.mdx", "---\ntitle: Old\n---\n\n[home](/) [b](/b)\n")
	g.write("b/look.mdx",
		"---\ntitle: Look\nrss: true\n---\n\n<div className=\"text-primary p-4\">coloured</div>\n\n<Update label=\"2026-01\">[one](/a/one)</Update>\n\n<Snippet file=\"note.mdx\" />\n")
	g.write("snippets/box.jsx",
		"import { n } from './data.js'\nexport const Box = () => <b>{'x'.repeat(3)}{n}{new Date().getFullYear()}</b>\n")
	g.write("snippets/data.js", "import data from './data.json'\nexport const n = data.n\n")
	g.write("snippets/data.json", `{"n": 1}`)
	g.write("snippets/note.mdx", "A **note**.\n")
	g.write("snippets/data.mdx", "export const v = 5\n")
	g.write("images/p.svg", `<svg xmlns="http://www.w3.org/2000/svg"/>`)
	g.write("openapi.json",
		`{"openapi": "3.1.0", "info": {"title": "P", "version": "1"}, "paths": {"/pets": {"get": {"summary": "List", "responses": {"200": {"description": "ok"}}}}}}`)
	g.write("api/pets.mdx", "---\nopenapi: GET /pets\n---\n")
	return g
}

func (g *editedFolder) write(name, text string) string {
	full := filepath.Join(g.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		g.t.Fatal(err)
	}
	return name
}

// pick returns one of the files below a folder with this ending.
func (g *editedFolder) pick(under, ending string) string {
	var all []string
	_ = filepath.WalkDir(filepath.Join(g.dir, under), func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(name, ending) {
			rel, _ := filepath.Rel(g.dir, name)
			all = append(all, filepath.ToSlash(rel))
		}
		return nil
	})
	if len(all) == 0 {
		return ""
	}
	return all[g.rand.IntN(len(all))]
}

// toggle writes a file, or removes it if it exists.
func (g *editedFolder) toggle(name, text string) []string {
	if os.Remove(filepath.Join(g.dir, filepath.FromSlash(name))) != nil {
		g.write(name, text)
	}
	return []string{name}
}

// edit makes a random change and returns the changed files.
func (g *editedFolder) edit() (what string, changed []string) {
	g.count++
	n := g.count
	body := fmt.Sprintf("Text %d with [a link](/a/one#top), [another](/new%d) and {1 + %d}.\n\n## Part %d\n", n,
		g.rand.IntN(n+1), n, n)
	switch g.rand.IntN(21) {
	case 14:
		return "JSON", []string{g.write("snippets/data.json", fmt.Sprintf(`{"n": %d}`, n))}
	case 15:
		return "late code", g.toggle("snippets/late.jsx", fmt.Sprintf("export const Late = () => <i>%d</i>\n", n))
	case 16:
		return "late snippet", g.toggle("snippets/late.mdx", body)
	case 17:
		return "late image", g.toggle("images/late.svg", `<svg xmlns="http://www.w3.org/2000/svg"/>`)
	case 18:
		f := g.pick(".", ".mdx")
		head := []string{"hidden: true", "noindex: true", "searchable: false", "mode: wide", "keywords: [k]",
			"rss: true", "groups: [staff]", "tag: NEW"}[n%8]
		return head + " " + f, []string{g.write(f, fmt.Sprintf("---\ntitle: Same\n%s\n---\n\n%s", head, body))}
	case 19:
		return "style", g.toggle("look.css", fmt.Sprintf("b { color: #00000%d }\n", n%10))
	case 20:
		return "skill", g.toggle("skill.md",
			fmt.Sprintf("---\nname: skill%d\ndescription: D\n---\n\nDo [one](/a/one).\n", n))
	case 12:
		return "code", []string{g.write("snippets/box.jsx",
			fmt.Sprintf(
				"import { n } from './data.js'\nexport const Box = () => <b>{'x'.repeat(%d)}{n}{new Date().getDate()}</b>\n", n))}
	case 0, 1:
		f := g.pick(".", ".mdx")
		return "change " + f, []string{g.write(f, fmt.Sprintf("---\ntitle: Same\n---\n\n%s", body))}
	case 2:
		f := g.pick(".", ".mdx")
		return "retitle " + f, []string{g.write(f, fmt.Sprintf("---\ntitle: T%d\ndescription: D\n---\n\n%s", n, body))}
	case 3:
		return "add", []string{g.write(fmt.Sprintf("new%d.mdx", n), body)}
	case 4:
		f := g.pick("a", ".mdx")
		if f == "" {
			return "add a", []string{g.write("a/one.mdx", body)}
		}
		_ = os.Remove(filepath.Join(g.dir, f))
		return "delete " + f, []string{f}
	case 5:
		f := g.pick("a", ".mdx")
		if f == "" {
			return "add a", []string{g.write("a/two.mdx", body)}
		}
		to := fmt.Sprintf("b/moved%d.mdx", n)
		_ = os.MkdirAll(filepath.Join(g.dir, "b"), 0o755)
		if err := os.Rename(filepath.Join(g.dir, f), filepath.Join(g.dir, to)); err != nil {
			g.t.Fatal(err)
		}
		return "rename " + f, []string{f, to}
	case 6:
		return "snippet", []string{g.write("snippets/note.mdx", body)}
	case 7:
		return "data", []string{g.write("snippets/data.mdx", fmt.Sprintf("export const v = %d\n", n))}
	case 8:
		return "docs.json", []string{g.write("docs.json", fmt.Sprintf(
			`{"$schema": "x", "name": "Garden %d", "theme": "mint", "colors": {"primary": "#12345%d"}, "logo": "/images/p.svg", "banner": {"content": "See [one](/a/one) ![b](/images/p.svg) <Snippet file=\"note.mdx\" />"}, "styling": {"latex": %t}, "icons": {"library": "%s"}, "variables": {"v": "%d"}, "navigation": {"groups": [{"group": "G%d", "pages": ["index", "a/two", "b/moved%d", "new%d"]}]}, "redirects": [{"source": "/old%d", "destination": "/a/one"}]}`,
			n%3, n%7, n%4 < 2, []string{"lucide", "fontawesome"}[n%5%2], n%2, n, n-1, n-2, n))}
	case 9:
		return "openapi", []string{g.write("openapi.json", fmt.Sprintf(
			`{"openapi": "3.1.0", "info": {"title": "P", "version": "1"}, "paths": {"/pets": {"get": {"summary": "List %d", "description": "D %d", "responses": {"200": {"description": "ok"}}}}}}`, n%2, n))}
	case 10:
		return "image", []string{g.write(fmt.Sprintf("images/p%d.svg", n%3),
			fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg"><title>%d</title></svg>`, n))}
	case 13:
		return "size of an image", []string{g.write("images/p.svg",
			fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="5"/>`, 1+n%9))}
	default:
		f := g.pick(".", ".mdx")
		return "break " + f, []string{g.write(f, "---\ntitle: Same\n---\n\n<Card title={>\n\n"+body)}
	}
}

// A live site has the same files and findings as a fresh build, byte for byte, after any sequence of edits.
func TestLiveSiteEqualsFreshBuild(t *testing.T) {
	tools, err := NewTools()
	if err != nil {
		t.Fatal(err)
	}
	defer tools.Close()
	for seed := range uint64(tier.Choose(4, 6)) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			g := newEditedFolder(t, seed)
			src := os.DirFS(g.dir)
			opt := Options{Links: link.Clean, Tools: tools, Workers: 2, Offers: capability.Offers{Search: true}}
			if seed%2 == 1 {
				cache := newFaultyCache(seed)
				cache.loses = int(seed / 2 * 2) // none, then many
				opt.Cache = cache
			}
			live := NewLive(src, opt)
			defer live.Close()
			if _, err := live.Update(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			var history []string
			for range 25 {
				var changed []string
				for range 1 + g.rand.IntN(2) {
					what, files := g.edit()
					history, changed = append(history, what), append(changed, files...)
				}
				if _, err := live.Update(t.Context(), changed); err != nil {
					t.Fatal(err)
				}
				compareLive(t, live, src, tools, g.rand, history)
			}
		})
	}
}

// compareLive compares files rendered on demand, in random order, and the files of a pass, with those of a fresh
// build.
func compareLive(t *testing.T, live *Live, src fs.FS, tools *Tools, random *rand.Rand, history []string) {
	t.Helper()
	want := memorySink{}
	fresh, err := Build(t.Context(), src, Options{Links: link.Clean, Tools: tools, Workers: 2,
		Offers: capability.Offers{Search: true}, ErrorPages: true}, want)
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, 0, len(want))
	for name := range want {
		names = append(names, name)
	}
	slices.Sort(names)
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	if err := live.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, name := range names[:len(names)/2] {
		f, ok, err := live.Find(t.Context(), name)
		if err != nil || ok && !sameFile(f, want[name]) {
			t.Fatalf("%s, rendered on demand, differs (%v) after %q:\n%s\n---\n%s", name, err, history, f.Data,
				want[name].Data)
		}
		if strings.HasSuffix(name, ".html") && !ok && live.IsPage(name) {
			t.Fatalf("%s is not rendered on demand after %q", name, history)
		}
	}
	got := memorySink{}
	report, err := live.Pass(t.Context(), 1, got)
	if err != nil {
		t.Fatalf("%v after %q", err, history)
	}
	for name, f := range want {
		if !sameFile(got[name], f) {
			t.Fatalf("%s differs after %q:\n%s\n---\n%s", name, history, got[name].Data, f.Data)
		}
	}
	if len(got) != len(want) || report.TreeHash != fresh.TreeHash {
		t.Fatalf("%d files, a fresh build has %d, after %q", len(got), len(want), history)
	}
	if !slices.Equal(report.Diagnostics, fresh.Diagnostics) {
		t.Fatalf("findings differ after %q:\n%v\n---\n%v", history, report.Diagnostics, fresh.Diagnostics)
	}
}

func sameFile(a, b output.File) bool {
	return a.Path == b.Path && a.ContentType == b.ContentType && a.Immutable == b.Immutable &&
		bytes.Equal(a.Data, b.Data)
}

// live returns a Live of the folder, with its own tools.
func (g *editedFolder) live(t *testing.T) *Live {
	t.Helper()
	tools, err := NewTools()
	if err != nil {
		t.Fatal(err)
	}
	live := NewLive(os.DirFS(g.dir),
		Options{Links: link.Clean, Tools: tools, Workers: 2, Offers: capability.Offers{Search: true}})
	t.Cleanup(func() {
		live.Close()
		_ = tools.Close() // Close only frees memory
	})
	return live
}

func TestEditingPageChangesOnlyThatPage(t *testing.T) {
	g := newEditedFolder(t, 1)
	live := g.live(t)
	if _, err := live.Update(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := live.Pass(t.Context(), 1, memorySink{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, file, text string
		whole, assets    bool
		pages            []string
	}{
		{"text", "a/one.mdx", "---\ntitle: One\n---\n\nOther text.\n", false, false, []string{"a/one"}},
		{"title", "a/one.mdx", "---\ntitle: Uno\n---\n\nOther text.\n", true, false, nil},
		{"snippet", "snippets/note.mdx", "Another.\n", true, false, nil},
		{"editor's file", "a/one.mdx~", "x", false, false, nil},
		{"image of the same size", "images/p.svg", `<svg xmlns="http://www.w3.org/2000/SVG"/>`, false, true, nil},
		{"image that tells its size", "images/p.svg", `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="5"/>`,
			true, false, nil},
		{"image of another size, as long", "images/p.svg",
			`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="5"/>`, true, false, nil},
		{"image of that size, as long", "images/p.svg",
			`<svg xmlns="http://www.w3.org/2000/SVG" width="9" height="5"/>`, false, true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			change, err := live.Update(t.Context(), []string{g.write(c.file, c.text)})
			if err != nil || change.Whole != c.whole || change.Assets != c.assets ||
				!slices.Equal(change.Pages, c.pages) {
				t.Errorf("got %+v, %v", change, err)
			}
			if _, err := live.Pass(t.Context(), 1, memorySink{}); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestInvalidSiteFileKeepsLastGoodState(t *testing.T) {
	g := newEditedFolder(t, 1)
	live := g.live(t)
	update := func(files ...string) Change {
		t.Helper()
		c, err := live.Update(t.Context(), files)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	good, err := os.ReadFile(filepath.Join(g.dir, "docs.json"))
	if err != nil {
		t.Fatal(err)
	}
	update("docs.json")
	before, _, _ := live.Find(t.Context(), "a/one.html")
	if c := update(g.write("docs.json", `{"name": `)); !c.Kept || !c.Findings.HasErrors() {
		t.Fatalf("got %+v", c)
	}
	if after, ok, _ := live.Find(t.Context(), "a/one.html"); !ok || !sameFile(before, after) {
		t.Error("the page changed")
	}
	if c := update(g.write("a/one.mdx", "---\ntitle: One\n---\n\nEdited meanwhile.\n")); !c.Kept {
		t.Errorf("got %+v", c)
	}
	if f, _, _ := live.Find(t.Context(), "a/one.html"); !bytes.Contains(f.Data, []byte("Edited meanwhile.")) {
		t.Error("the edit is not visible")
	}
	if c := update(g.write("docs.json", string(good))); c.Kept || slices.ContainsFunc(c.Findings,
		func(d diag.Diagnostic) bool { return d.File == "docs.json" && d.Severity == diag.Error }) {
		t.Errorf("got %+v", c)
	}
}

func TestCanceledPassLeavesNoPartialPages(t *testing.T) {
	tools, err := NewTools()
	if err != nil {
		t.Fatal(err)
	}
	defer tools.Close()
	g := newEditedFolder(t, 1)
	src := os.DirFS(g.dir)
	live := NewLive(src, Options{Links: link.Clean, Tools: tools, Workers: 2, Offers: capability.Offers{Search: true}})
	defer live.Close()
	if _, err := live.Update(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := live.Pass(ctx, 1, memorySink{}); err == nil {
		t.Error("a canceled pass returned no error")
	}
	compareLive(t, live, src, tools, g.rand, []string{"called off"})
}
