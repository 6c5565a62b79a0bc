package apipage

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/load"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

var update = flag.Bool("update", false, "rewrite the wanted pages")

// draw returns a page's bar, body and side panel.
func draw(in Input) []byte {
	h := newHost(false)
	p := New(context.Background(), in)
	p.Head(h.w)
	p.Body(h.w)
	out := bytes.Clone(h.w.Bytes())
	out = append(out, "\n<!-- side -->\n"...)
	out = append(out, h.w.Side.Bytes()...)
	for _, o := range h.outline {
		out = append(out, "\n<!-- outline "+o+" -->"...)
	}
	return append(out, '\n')
}

// Each folder of testdata/pages is a site. Its folder want has the expected output of every API page, one file each.
// The sites configure few languages, because package apisample tests the samples.
func TestPagesMatchGoldenFiles(t *testing.T) {
	sites, err := filepath.Glob("testdata/pages/*")
	if err != nil || len(sites) == 0 {
		t.Fatal("no sites", err)
	}
	for _, dir := range sites {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			l, list, err := load.Load(context.Background(), os.DirFS(filepath.Join(dir, "in")),
				load.Options{Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			got, seen := map[string][]byte{}, map[string]string{}
			for _, p := range l.Site.Pages {
				if p.API != nil {
					name, in := strings.ReplaceAll(p.Path, "/", "+"), Input{Page: p, Specs: l.Specs, Look: l.Site.API}
					head := "<!-- " + p.Title + " | " + p.Description + " | " + Content(p, l.Specs) + " -->\n"
					got[name+".md"] = New(context.Background(), in).Twin(nil)
					got[name+".html"] = []byte(head + once(seen, name, string(draw(in))))
				}
			}
			var found []string
			for _, d := range list {
				found = append(found, d.String()+" | "+d.Hint)
			}
			got["findings.txt"] = []byte(strings.Join(found, "\n") + "\n")
			got["navigation.txt"] = []byte(outline(l.Site.Nav, ""))
			compare(t, filepath.Join(dir, "want"), got)
		})
	}
}

// once replaces a page's main part or side panel with a reference if an earlier page has the same one.
func once(seen map[string]string, name, page string) string {
	parts := strings.SplitAfterN(page, "\n<!-- side -->\n", 2)
	for i, part := range parts {
		if before := seen[part]; before != "" {
			parts[i] = "<!-- as in " + before + " -->\n"
		} else if len(part) > 200 {
			seen[part] = name
		}
	}
	return strings.Join(parts, "")
}

func outline(nodes []*site.Node, indent string) (s string) {
	for _, n := range nodes {
		s += indent + n.Kind.String() + " " + n.Title + " " + n.Page + "\n" + outline(n.Children, indent+"  ")
	}
	return s
}

func compare(t *testing.T, dir string, got map[string][]byte) {
	t.Helper()
	if *update {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, data := range got {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	wanted, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range wanted {
		want, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got[e.Name()], want) {
			t.Errorf("%s differs; got\n%s", e.Name(), got[e.Name()])
		}
		delete(got, e.Name())
	}
	for name := range got {
		t.Errorf("unexpected page %s", name)
	}
}

func TestSamplesUseSiteLanguages(t *testing.T) {
	l := loadSite(t, "pets")
	page, look := l.Site.Find("api-reference/pets/add-a-pet"), l.Site.API
	for _, c := range []struct{ languages, want []string }{
		{nil, []string{"cURL", "Python", "JavaScript"}},
		{[]string{"rust", "c++", "curl"}, []string{"Rust", "C++", "cURL"}},
		{[]string{"swift", "cobol"}, []string{"Swift"}},
	} {
		look.Languages = c.languages
		out, last := string(draw(Input{Page: page, Specs: l.Specs, Look: look})), -1
		for _, title := range c.want {
			at := strings.Index(out, `<span class="code-title">`+title+`</span>`)
			if at <= last {
				t.Errorf("%v: the sample in %s is missing or out of order", c.languages, title)
			}
			last = at
		}
	}
}

func TestAuthorExamplesReplaceGeneratedOnes(t *testing.T) {
	l, _, err := load.Load(context.Background(), os.DirFS("testdata/pages/pets/in"), load.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	p := l.Site.Find("api-reference/pets/add-a-pet")
	for _, c := range []struct{ request, response bool }{{true, false}, {false, true}, {true, true}} {
		out := string(draw(Input{Page: p, Specs: l.Specs, OwnRequest: c.request, OwnResponse: c.response}))
		if strings.Contains(out, "curl --request") == c.request || strings.Contains(out, "code-201") == c.response {
			t.Errorf("%+v: author's examples and generated ones are mixed", c)
		}
	}
}

func TestDescriptionTextIsNeverMarkup(t *testing.T) {
	for _, src := range []string{
		`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, "`<b>` {x} $y$", "import x from 'y'\n\ntext",
		"export const a = 1", "<Card title={evil()}/>",
		"{process.exit()}", "a <https://example.com> b", `<a href="javascript:alert(1)">x</a>`, "~~~\n<script>\n~~~",
		"[x](javascript:alert(1))", "<!-- c -->", "\\<b>", "<a href='x'>[`</a>",
	} {
		h := newHost(false)
		h.Render(markdown(src))
		out := string(h.w.Bytes())
		for _, bad := range []string{"<script", "<img", "<Card", "onerror=alert(1)>\"", `href="javascript`} {
			if strings.Contains(out, bad) {
				t.Errorf("%q gives %q", src, out)
			}
		}
	}
	h := newHost(false)
	h.Render(markdown("A <b>bold</b> `{x}` {id} & <a href=\"/x\">link</a><br/>next\n\n# Head\n\n- one <id>\n- two\n"))
	want := `<p>A <strong>bold</strong> <code>{x}</code> {id} &amp; <a href="/x">link</a><br>next</p><p><strong>Head</strong></p><ul><li><p>one &lt;id&gt;</p></li><li><p>two</p></li></ul>`
	if got := string(h.w.Bytes()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func FuzzMarkdownOfADescription(f *testing.F) {
	for _, s := range []string{"a <b>b</b>", "`x` {y} $z$", "<a href=\"/x\">y</a>", "```\n{x}\n```", "import x",
		"- a\n- <br>\n", "| a |\n|-|\n| {b} |"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		h := newHost(false)
		h.Render(markdown(src))
		if out := string(h.w.Bytes()); strings.Contains(strings.ToLower(out), "<script") {
			t.Fatalf("%q gives %q", src, out)
		}
	})
}

func TestPageReportsMissingDescription(t *testing.T) {
	p := &site.Page{API: &site.APIRef{Kind: site.APIOperation, Spec: "https://example.com/api.json", Method: "GET",
		Path: "/x", Missing: true}}
	var none *openapi.Set
	if out := string(draw(Input{Page: p, Specs: none})); !strings.Contains(out, "was not fetched") {
		t.Errorf("got %s", out)
	}
}
