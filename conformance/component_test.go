package conformance

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
	"github.com/lectern-docs/lectern/internal/render"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/render/expand"
	"github.com/lectern-docs/lectern/internal/render/highlight"
	"github.com/lectern-docs/lectern/internal/render/icon"
	"github.com/lectern-docs/lectern/internal/render/tex"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/web/npm"
	"github.com/lectern-docs/lectern/web/theme"
)

// everywhere resolves every safe reference to itself, as if the site had every page and file.
type everywhere struct{}

// Resolve implements render.Resolver.
func (everywhere) Resolve(ref render.Ref) (component.Address, bool) {
	return component.Address{Href: ref.Dest}, link.Safe(ref.Dest)
}

// engine renders cases with the same renderer as pages.
type engine struct {
	render *render.Renderer
	expand *expand.Site
}

func newEngine(t *testing.T) *engine {
	t.Helper()
	icons, err := icon.Open(npm.FS())
	if err != nil {
		t.Fatal(err)
	}
	formulas := tex.New(npm.FS())
	t.Cleanup(func() { _ = formulas.Close() }) // it only frees memory
	return &engine{
		render: render.New(render.Options{Icons: icons.Set(icon.FontAwesome), Code: highlight.New(1 << 20),
			Math: formulas}),
		expand: expand.New(expand.Options{Src: os.DirFS("component"),
			Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}),
	}
}

// draw returns a case's HTML, including the parts next to the content and the page's style sheet, and the findings for
// its author.
func (e *engine) draw(t *testing.T, file string, src []byte) (out string, list diag.List) {
	t.Helper()
	front, list := frontmatter.Parse(file, src)
	page, more := e.expand.Page(context.Background(), &ast.File{Name: file, Body: front.Body, Line: front.BodyLine})
	list = append(list, more...)
	drawn, more, err := e.render.Render(context.Background(), render.Source{File: page.File, Nodes: page.Nodes},
		everywhere{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(shorten(string(drawn.HTML)))
	for _, part := range []struct{ title, text string }{
		{"beside", shorten(string(drawn.Side))}, {"style", boxed.ReplaceAllString(string(drawn.Style), "")},
		{"outline", outline(drawn.Headings)},
		{"classes", strings.Join(drawn.Classes, " ")},
	} {
		if part.text != "" {
			b.WriteString("\n<!-- " + part.title + " -->\n" + strings.TrimRight(part.text, "\n") + "\n")
		}
	}
	return b.String(), append(list, more...)
}

func outline(headings []render.Heading) string {
	var b strings.Builder
	for _, h := range headings {
		b.WriteString(strings.Repeat("  ", h.Level-2) + "#" + h.ID + " " + h.Text + "\n")
	}
	return b.String()
}

var (
	drawing = regexp.MustCompile(` d="[^"]{40,}"`)
	boxed   = regexp.MustCompile(`(?m)^\.s-[0-9a-f]{8}\{(?:height|top|margin-right|border-bottom-width):[^ ]*\}\n`)
	breaks  = regexp.MustCompile(
		`(</(?:div|section|details|summary|figure|figcaption|p|ul|li|button|pre|lectern-tabs|tr|h[2-6])>)(<)`)
)

// shorten makes rendered HTML readable: it omits the outlines of icons and the boxes of formulas, and ends lines after
// blocks.
func shorten(html string) string {
	html = drawing.ReplaceAllString(withoutBoxes(html), ` d="…"`)
	return breaks.ReplaceAllString(html, "$1\n$2")
}

// withoutBoxes empties the visual part of formulas, which screen readers skip.
func withoutBoxes(html string) string {
	const start = `<span class="katex-html" aria-hidden="true">`
	before, rest, ok := strings.Cut(html, start)
	for depth := 1; ok && depth > 0; {
		end := strings.Index(rest, "span>")
		open := strings.Index(rest, "<span")
		if open >= 0 && open < end {
			depth, rest = depth+1, rest[open+5:]
		} else {
			depth, rest = depth-1, rest[max(end+5, 0):]
		}
	}
	if !ok {
		return html
	}
	return before + start + "…</span>" + withoutBoxes(rest)
}

func TestComponentsRenderAsRecorded(t *testing.T) {
	cases, err := filepath.Glob("component/*/in.mdx")
	if err != nil || len(cases) == 0 {
		t.Fatalf("cases: %v, %d found", err, len(cases))
	}
	e := newEngine(t)
	for _, in := range cases {
		dir := filepath.Dir(in)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			src, err := os.ReadFile(in)
			if err != nil {
				t.Fatal(err)
			}
			out, list := e.draw(t, "in.mdx", src)
			compare(t, filepath.Join(dir, "want.html"), out)
			compare(t, filepath.Join(dir, "want.txt"), findings(list))
			for _, d := range list {
				checkSentences(t, d)
			}
		})
	}
}

// compare compares text with a file, which must not exist if the text is empty.
func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		err := os.WriteFile(file, []byte(got), 0o644)
		if got == "" {
			err = os.RemoveAll(file)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil && (got != "" || !os.IsNotExist(err)) {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			t.Fatalf("%s differs in line %d (run with -update to accept)\ngot  %s\nwant %s", file, i+1, g[i],
				strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
		}
	}
	t.Fatalf("%s has %d more lines", file, len(w)-len(g))
}

func findings(list diag.List) string {
	var b strings.Builder
	for _, d := range list {
		b.WriteString(d.String() + "\n")
		if d.Hint != "" {
			b.WriteString("    " + d.Hint + "\n")
		}
	}
	return b.String()
}

var (
	message = regexp.MustCompile(`^[A-Z<"].*\.$`)
	hint    = regexp.MustCompile(`^[A-Z].*[.?]$`)
)

// checkSentences checks the style of messages to authors.
func checkSentences(t *testing.T, d diag.Diagnostic) {
	t.Helper()
	if !message.MatchString(d.Message) || !hint.MatchString(d.Hint) {
		t.Errorf("not full sentences: %q, hint %q", d.Message, d.Hint)
	}
}

// families maps components to the names of their file, style sheet and folder of cases, where these are not the
// component's name in lower case.
var families = map[string]struct{ file, style, folder string }{
	"AccordionGroup":  {"accordion", "accordion", "accordion"},
	"CardGroup":       {"columns", "columns", "columns"},
	"Column":          {"columns", "columns", "columns"},
	"CodeBlock":       {"codeblock", "code", "codeblock"},
	"Expandable":      {"field", "field", "expandable"},
	"FileTree":        {"tree", "tree", "tree"},
	"GitHub":          {"repo", "repo", "repo"},
	"Github":          {"repo", "repo", "repo"},
	"Heading":         {"inline", "prose", "heading"},
	"Image":           {"inline", "prose", "image"},
	"Latex":           {"inline", "math", "latex"},
	"Link":            {"inline", "prose", "link"},
	"Panel":           {"codegroup", "codegroup", "panel"},
	"Param":           {"field", "field", "paramfield"},
	"Property":        {"field", "field", "responsefield"},
	"ParamField":      {"field", "field", "paramfield"},
	"RequestExample":  {"codegroup", "codegroup", "requestexample"},
	"ResponseExample": {"codegroup", "codegroup", "requestexample"},
	"ResponseField":   {"field", "field", "responsefield"},
	"Step":            {"steps", "steps", "steps"},
	"Tab":             {"tabs", "tabs", "tabs"},
	"TabItem":         {"tabs", "tabs", "tabs"},
	"Visibility":      {"inline", "prose", "visibility"},
}

var callouts = regexp.MustCompile(
	`^(Note|Warning|Info|Tip|Check|Danger|Callout|Important|Alert|Caution|Critical|Error|Success|Hint)$`)

func TestEveryComponentHasCodeStyleAndCase(t *testing.T) {
	for _, c := range component.List() {
		name, _, _ := strings.Cut(c.Name, ".")
		f, ok := families[name]
		if low := strings.ToLower(name); callouts.MatchString(name) {
			f.file, f.style, f.folder = "callout", "callout", "callout"
		} else if !ok {
			f.file, f.style, f.folder = low, low, low
		}
		if _, err := os.Stat(filepath.Join("..", "internal", "render", "component", f.file+".go")); err != nil {
			t.Errorf("<%s>: %v", c.Name, err)
		}
		if _, err := fs.Stat(theme.FS(), "src/content/"+f.style+".css"); err != nil {
			t.Errorf("<%s>: %v", c.Name, err)
		}
		src, err := os.ReadFile(filepath.Join("component", f.folder, "in.mdx"))
		if err != nil || !regexp.MustCompile(`<`+regexp.QuoteMeta(c.Name)+`[\s>/]`).Match(src) {
			t.Errorf("component/%s does not show <%s> (%v)", f.folder, c.Name, err)
		}
	}
}
