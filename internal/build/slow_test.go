package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
)

// hostilePage is a page designed to be slow or large, with the files it needs.
type hostilePage struct {
	files map[string]string
	code  string // of the finding with which the page fails; "" if it can be shown within the limits
}

// aliasBomb returns an API description of less than 1 kB whose aliases expand to 9^14 values.
func aliasBomb() string {
	text := "openapi: 3.0.0\ninfo: {title: t, version: '1'}\nx0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 14; i++ {
		text += fmt.Sprintf("x%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 8), i-1)
	}
	return text + "paths: {/a: {get: {x-x: *a13, responses: {200: {description: x}}}}}\n"
}

// manyExamples returns a description whose references repeat one long text for each response, media type and example.
func manyExamples() string {
	list := func(n int, format string) string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprintf(format, i))
		}
		return strings.Join(out, ",")
	}
	return `{"openapi": "3.0.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"get": {"responses": {` +
		list(300, `"x%d": {"$ref": "#/components/responses/R"}`) +
		`}}}}, "components": {"responses": {"R": {"description": "r", "content": {` +
		list(50, `"application/x%d+json": {"$ref": "#/components/x/M"}`) +
		`}}}, "x": {"M": {"schema": {"$ref": "#/components/schemas/S"}, "examples": {` +
		list(50, `"e%d": {"value": {"$ref": "#/no"}, "summary": "s"}`) +
		`}}}, "schemas": {"S": {"type": "object", "description": "` + strings.Repeat("word ", 6000) +
		`", "properties": {` +
		list(60, `"p%d": {"$ref": "#/components/schemas/S"}`) + `}}}}}`
}

func doubledSnippets() map[string]string {
	out := map[string]string{"bad.mdx": "import S from '/snippets/s0.mdx'\n\n<S />\n", "snippets/s18.mdx": "end\n"}
	for i := range 18 {
		out[fmt.Sprintf("snippets/s%d.mdx",
			i)] = fmt.Sprintf("import S from '/snippets/s%d.mdx'\n\n<S />\n\n<S />\n\n<S />\n", i+1)
	}
	return out
}

func hostilePages() map[string]hostilePage {
	page := func(text string) map[string]string { return map[string]string{"bad.mdx": text} }
	api := func(file, text string) map[string]string {
		return map[string]string{"bad.mdx": "---\ntitle: Bad\nopenapi: " + file + " GET /a\n---\n", file: text}
	}
	doubled, values := "", "export const a0 = ['x']\n"
	for i := range 60 {
		doubled += fmt.Sprintf(
			`"A%d": {"allOf": [{"$ref": "#/components/schemas/A%d"}, {"$ref": "#/components/schemas/A%d"}]},`, i, i+1,
			i+1)
		values += fmt.Sprintf("export const a%d = [a%d, a%d]\n", i+1, i, i)
	}
	return map[string]hostilePage{
		"front matter of brackets": {page("---\ntitle: " + strings.Repeat("[", 61<<10) + "\n---\n"),
			"front-matter-syntax"},
		"aliases that multiply": {api("bad.yaml", aliasBomb()), "spec-syntax"},
		"allOf that doubles": {api("bad.json",
			`{"openapi": "3.0.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": {}, "get": {"responses": {"200": {"description": "x", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/A0"}}}}}}}}, "components": {"schemas": {`+
				doubled+`"A60": {"type": "string"}}}}`), ""},
		"examples by reference": {api("bad.json", manyExamples()), ""},
		"deep JSON": {api("bad.json", `{"openapi": "3.0.0", "paths": `+strings.Repeat(`{"a":`, 100_000)),
			"spec-syntax"},
		"snippets that triple": {doubledSnippets(), "page-too-large"},
		"values that double":   {page(values + "\n{a60}\n"), "page-too-large"},
		"quotes":               {page(strings.Repeat(">", 100_000) + " x\n"), "mdx-too-deep"},
		"brackets":             {page(strings.Repeat("[", 100_000) + "\n"), ""},
		"emphasis":             {page(strings.Repeat("*a_ ", 20_000) + "\n"), ""},
		"tags": {page(strings.Repeat("<div>\n", 5_000) + strings.Repeat("</div>\n", 5_000)),
			"mdx-too-deep"},
		"a wide table": {page("|" + strings.Repeat("a|", 20_000) + "\n|" + strings.Repeat("-|", 20_000) + "\n" +
			strings.Repeat("|x\n", 2_000)), ""},
		"footnotes": {page(strings.Repeat("[^a] ", 20_000) + "\n\n[^a]: " + strings.Repeat("[^a] ", 1_000) +
			"\n"), ""},
		"a style attribute": {page(`<div style="` + strings.Repeat("a:b(", 50_000) + `">x</div>` + "\n"), ""},
	}
}

// buildersAtWork returns the stacks of goroutines that belong to a build and do not end. It waits, because a goroutine
// that has finished its work may still exist for a moment, especially on a busy machine.
func buildersAtWork() (found string) {
	for pause := time.Millisecond; pause < 10*time.Second; pause *= 2 {
		if found = buildersNow(); found == "" {
			break
		}
		time.Sleep(pause)
	}
	return found
}

func buildersNow() string {
	stacks := make([]byte, 4<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	var found []string
	for one := range strings.SplitSeq(string(stacks), "\n\n") {
		if strings.Contains(one, "testing.tRunner(") { // the tests themselves
			continue
		}
		for _, pkg := range []string{"build", "render/expand", "render", "site/openapi"} {
			if strings.Contains(one, "internal/"+pkg+".") {
				found = append(found, one)
				break
			}
		}
	}
	return strings.Join(found, "\n\n")
}

// C8: a page designed to be slow or large does not affect other pages. It fails with a finding that has a position, or
// is truncated to a size that can be shown. The build takes limited memory, and no goroutine outlives it.
func TestHostilePagesDoNotAffectOthers(t *testing.T) {
	tools, err := NewTools()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tools.Close() }() // Close only frees memory
	for name, c := range hostilePages() {
		t.Run(name, func(t *testing.T) {
			src := map[string]string{"index.mdx": "# Home\n", "good.mdx": "---\ntitle: Good\n---\nThe good page.\n"}
			for file, text := range c.files {
				src[file] = text
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			out, r := build(t, files(src), Options{Workers: 2, Tools: tools, Scripts: jsrun.Host{Off: true}})
			if at := buildersAtWork(); at != "" {
				t.Errorf("still running after the build:\n%s", at)
			}
			runtime.ReadMemStats(&after)
			if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 3<<10 {
				t.Errorf("the build allocated %d MB", got)
			}
			if !strings.Contains(out.files["good.html"], "The good page.") || out.files["index.html"] == "" {
				t.Errorf("the good pages are missing: %v", r.Diagnostics)
			}
			if c.code != "" && !placed(r.Diagnostics, c.code) {
				t.Errorf("no finding %s with a position: %v", c.code, r.Diagnostics)
			}
			if n := len(out.files["bad.html"]); c.code == "" && (n == 0 || n > 100<<20) {
				t.Errorf("the page has %d bytes: %v", n, r.Diagnostics)
			}
		})
	}
}

// placed reports whether there is an error with this code and a file, line and column.
func placed(list diag.List, code string) bool {
	for _, d := range list {
		if d.Code == code && d.Severity == diag.Error && d.File != "" && d.Line > 0 && d.Column > 0 {
			return true
		}
	}
	return false
}

// C8: a page that takes too long fails with a finding at its position, its work ends with the build, and its partial
// result is not cached.
func TestSlowPageTimesOut(t *testing.T) {
	out, r := build(t, files(map[string]string{"index.mdx": "# Home\n",
		"docs.json": `{"name": "x", "navigation": ["index"]}`}), Options{pageTime: -1})
	if !placed(r.Diagnostics, "page-too-slow") || r.Failed == 0 || out.files["index.html"] != "" {
		t.Errorf("failed %d, %v", r.Failed, r.Diagnostics)
	}
	if at := buildersAtWork(); at != "" {
		t.Errorf("still running after the build:\n%s", at)
	}
}

// signalFS is a folder that signals when a file is opened, so that a test knows when a page is being rendered.
type signalFS struct {
	fs.FS
	file   string
	opened func()
}

func (g signalFS) Open(name string) (fs.File, error) {
	if name == g.file {
		g.opened()
	}
	return g.FS.Open(name)
}

// C8, J8: a build that is canceled while it expands a page of 3^18 snippets ends and leaves no goroutine behind.
func TestCanceledBuildLeavesNoGoroutine(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	src := doubledSnippets()
	src["index.mdx"] = "# Home\n"
	_, err := Build(ctx, signalFS{files(src), "snippets/s17.mdx", cancel},
		Options{Workers: 2, Scripts: jsrun.Host{Off: true}}, &memory{})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("err %v", err)
	}
	if at := buildersAtWork(); at != "" {
		t.Errorf("still running after the build:\n%s", at)
	}
}
