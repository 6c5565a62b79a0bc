package load

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
)

func load(t *testing.T, src fs.FS) (*site.Site, diag.List) {
	t.Helper()
	l, list, err := Load(context.Background(), src, Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return l.Site, list
}

func files(text map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, data := range text {
		out[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return out
}

func paths(s *site.Site) (out []string) {
	for _, p := range s.Pages {
		out = append(out, p.Path)
	}
	return out
}

func codes(list diag.List) string {
	var out []string
	for _, d := range list {
		out = append(out, d.File+" "+d.Code)
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

func TestLoadFindsPagesAndSkipsTheRest(t *testing.T) {
	s, list := load(t, files(map[string]string{
		"docs.json": `{"name": "N", "navigation": [{"group": "G", "pages": ["index", "build/a", "gone", "bad"]}]}`,
		"index.mdx": "---\ntitle: Home\n---\nx", "build/a.md": "# From the *body*\n", "plain/no-title.mdx": "text",
		"bad.mdx":   "---\ntitle: \"x\n---\n",
		"README.md": "x", "sub/README.md": "x", ".hidden/x.mdx": "x", "node_modules/p/x.mdx": "x",
		"snippets/s.mdx": "x", "a/_snippets/s.mdx": "x", "_lectern/x.mdx": "x",
		".mintignore": "build/\ndraft*.mdx\n!draft-kept.mdx\n# c\n/only-root.mdx\n", "draft-x.mdx": "x",
		"draft-kept.mdx": "x", "only-root.mdx": "x", "sub/only-root.mdx": "x",
		"img/a.png": "png", "evil.js": "x", "evil.html": "x", "style.css": "x", "feed.xml": "x", "robots.txt": "x",
		"manifest.json": "{}", "noext": "x", "api/openapi.yaml": "x",
	}))
	if got := strings.Join(paths(s), " "); got != "build/a draft-kept index plain/no-title sub/only-root" {
		t.Errorf("pages %s", got)
	}
	var assets []string
	for _, a := range s.Assets {
		assets = append(assets, a.Path)
	}
	if got := strings.Join(assets, " "); got != "api/openapi.yaml img/a.png robots.txt" {
		t.Errorf("assets %s", got)
	}
	if got := codes(list); got != "bad.mdx front-matter-syntax; docs.json missing-page" {
		t.Errorf("findings %s", got)
	}
	if p := s.Find("build/a"); p.Title != "From the body" || !p.TitleInBody || !p.Listed {
		t.Errorf("page %+v", p)
	}
	if p := s.Find("plain/no-title"); p.Title != "No title" || p.Listed {
		t.Errorf("page %+v", p)
	}
	if strings.Join(s.Failed, " ") != "bad" || len(s.Nav) != 1 || len(s.Nav[0].Children) != 2 {
		t.Errorf("failed %v nav %+v", s.Failed, s.Nav)
	}
}

func TestSnippetFoldersPublishImagesAndListedPages(t *testing.T) {
	s, list := load(t, files(map[string]string{
		"docs.json": `{"name": "x", "navigation": ["a", "guide/snippets/overview"]}`, "a.mdx": "x",
		"guide/snippets/overview.mdx": "x", "guide/snippets/part.mdx": "x",
		"snippets/b.mdx": "x", "snippets/img/c.png": "x", "snippets/d.jsx": "x", "snippets/e.json": "{}",
	}))
	if got := strings.Join(paths(s), " "); got != "a guide/snippets/overview" || len(list) > 0 {
		t.Errorf("pages %s, findings %v", got, list)
	}
	if len(s.Assets) != 1 || s.Assets[0].Path != "snippets/img/c.png" {
		t.Errorf("assets %+v", s.Assets)
	}
}

func TestTitleFromTheBodyIsPlainText(t *testing.T) {
	for body, want := range map[string]string{
		"# Node \\_\\_name &amp; [a *link*](/x) with `code` #\n": "Node __name & a link with code", "# A {#id}\n": "A",
		"# Set <Badge>new</Badge>\n\ntext": "Set new",
		"#\n":                              "A",
	} {
		s, _ := load(t, files(map[string]string{"docs.json": `{"name": "x", "navigation": ["a"]}`, "a.mdx": body}))
		if got := s.Find("a").Title; got != want {
			t.Errorf("%q: title %q, want %q", body, got, want)
		}
	}
}

func TestUnavailableDescriptionIsReportedOnce(t *testing.T) {
	s, list := load(t, files(map[string]string{
		"docs.json": `{"name": "x", "api": {"openapi": "https://example.com/x.json"}, "navigation": ["a", "b"]}`,
		"a.mdx":     "---\nopenapi: GET /x\n---\n", "b.mdx": "---\nopenapi: y.json GET /x\n---\n",
	}))
	if got := codes(list); got != "b.mdx operation-missing; docs.json spec-not-fetched" {
		t.Errorf("findings %s", got)
	}
	if api := s.Find("a").API; api == nil || !api.Missing || api.Spec != "https://example.com/x.json" {
		t.Errorf("page %+v", api)
	}
}

func TestSiteWithoutSiteFileListsAllPages(t *testing.T) {
	s, list := load(t, files(map[string]string{"index.mdx": "x", "guides/b.mdx": "x", "guides/a.mdx": "x"}))
	if codes(list) != "docs.json site-file-missing" || len(s.Nav) != 2 || s.Nav[0].Title != "guides" ||
		len(s.Nav[0].Children) != 2 || !s.Find("guides/a").Listed {
		t.Errorf("%v %+v", list, s.Nav)
	}
}

func TestSymbolicLinksAreNotFollowed(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{filepath.Join(outside, "secret.mdx"): "secret", filepath.Join(dir,
		"index.mdx"): "x", filepath.Join(dir, "docs.json"): `{"name": "x", "navigation": ["index", "link"]}`} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link.mdx": filepath.Join(outside, "secret.mdx"), "linked": outside,
		"pic.png": filepath.Join(outside, "secret.mdx"), ".mintignore": filepath.Join(outside, "secret.mdx")} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	s, list := load(t, os.DirFS(dir))
	if got := strings.Join(paths(s), " "); got != "index" || len(s.Assets) != 0 {
		t.Errorf("pages %s assets %v", got, s.Assets)
	}
	if got := codes(
		list); got != ". ignore-unreadable; docs.json missing-page; link.mdx symlink; linked symlink; pic.png symlink" {
		t.Errorf("findings %s", got)
	}
}

func TestNavigationPageWinsWhenOutputsCollide(t *testing.T) {
	s, list := load(t, files(map[string]string{
		"docs.json": `{"name": "x", "navigation": ["agents", "a", "twice"]}`, "AGENTS.md": "x", "agents.mdx": "x",
		"a.mdx": "x", "a.html/b.mdx": "x", "twice.md": "x", "twice.mdx": "x", "Pic.png": "x", "pic.png": "x",
	}))
	if got := strings.Join(paths(s), " "); got != "a agents twice" {
		t.Errorf("pages %s", got)
	}
	if got := codes(
		list); got != "AGENTS.md duplicate-page; a.html/b.mdx duplicate-page; pic.png duplicate-file; twice.md duplicate-page" || list.HasErrors() {
		t.Errorf("findings %s", got)
	}
}

func TestBadPagesAreReportedAndOthersLoad(t *testing.T) {
	s, list := load(t, files(map[string]string{
		"docs.json": `{"name": "x", "navigation": ["ok"]}`, "ok.mdx": "x", "latin.mdx": "a\nb\xff",
		"big.mdx": strings.Repeat("x", maxPage+1), "na\\me.mdx": "x",
	}))
	if got := strings.Join(paths(s), " "); got != "ok" {
		t.Errorf("pages %s", got)
	}
	if got := codes(list); got != "big.mdx page-size; latin.mdx page-encoding; na\\me.mdx bad-name" {
		t.Errorf("findings %s", got)
	}
	for _, d := range list {
		if d.Code == "page-encoding" && (d.Line != 2 || d.Column != 2) {
			t.Errorf("place %v", d)
		}
	}
}

func TestRedirectsThatCannotBeServedAreReported(t *testing.T) {
	s, list := load(t, files(map[string]string{"index.mdx": "x",
		"docs.json": `{"name": "x", "navigation": ["index"], "redirects": [
 {"source": "/a", "destination": "/b"}, {"source": "old", "destination": "new", "permanent": false}, {"source": "/a#x", "destination": "/b"}, {"source": "/c", "destination": "javascript:x"},
 {"source": "/d", "destination": "//evil.example"}, {"source": "/e", "destination": "/e/"}, {"source": "/f/:slug*", "destination": "https://x.example/:slug*"}, {"source": "/g", "destination": "javascript://x"}]}`}))
	var got []string
	for _, r := range s.Redirects {
		got = append(got, fmt.Sprint(r.Source, ">", r.Destination, " ", r.Permanent))
	}
	if want := "[/a>/b true /old>/new false /f/:slug*>https://x.example/:slug* true]"; fmt.Sprint(got) != want {
		t.Errorf("redirects %v", got)
	}
	if strings.Count(codes(list), "bad-redirect") != 5 {
		t.Errorf("findings %v", list)
	}
}

func TestCancelledLoadReturnsTheCause(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Load(ctx, files(map[string]string{"index.mdx": "x"}), Options{}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

func TestOperationsWithTheSameNameAreNumbered(t *testing.T) {
	var paths []string
	for i := range 3000 { // searching for a free number from 1 each time would take millions of steps
		paths = append(paths, fmt.Sprintf(`"/p%d": {"get": {"summary": "Same", "tags": ["T"]}}`, i))
	}
	s, list := load(t, files(map[string]string{
		"docs.json": `{"name": "x", "navigation": {"groups": [{"group": "A", "openapi": "api.json"}]}}`,
		"api.json": `{"openapi": "3.1.0", "info": {}, "tags": [{"name": "T", "x-group": "Things"}], "paths": {` +
			strings.Join(paths, ",") + `}}`,
	}))
	if len(list) > 0 || len(s.Pages) != 3000 {
		t.Fatalf("%d pages, %v", len(s.Pages), list)
	}
	for i, want := range map[int]string{0: "api-reference/t/same", 1: "api-reference/t/same-1",
		2999: "api-reference/t/same-2999"} {
		if p := s.Find(want); p == nil || p.API.Path != fmt.Sprintf("/p%d", i) {
			t.Errorf("%s is %+v", want, p)
		}
	}
	if g := s.Nav[0].Children[0]; g.Title != "Things" {
		t.Errorf("the group is called %q", g.Title)
	}
}
