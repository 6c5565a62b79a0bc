package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// visualSite is a small docs folder below testdata/visual that uses features as authors use them.
type visualSite struct {
	name    string
	folder  string              // "" = name
	painted bool                // its style sheet sets colours of text and backgrounds
	moves   bool                // see inspection
	ready   string              // see inspection
	turn    int                 // index into views for its first page
	both    bool                // every page is measured in both views of its pair; see views
	add     func(fstest.MapFS)  // adds generated files
	docs    func(string) string // changes docs.json
	only    func(p string) bool // pages to open; nil = all
}

// limit returns the minimum contrast of text: that of WCAG AA for the platform's colours, and the limit of legibility
// for an author's colours.
func (s visualSite) limit() float64 {
	if s.painted {
		return 2.5
	}
	return 4.5
}

const generatedPages = 160 // more than the sidebar lists at once

func visualSites() []visualSite {
	sites := []visualSite{
		{name: "night", painted: true},
		{name: "day", painted: true},
		{name: "tokens", painted: true},
		{name: "long"},
		{name: "languages", only: func(p string) bool { return p != "/" }},
		{name: "deep", add: manyPages, docs: nameManyPages, only: func(p string) bool {
			return !strings.Contains(p, "/many/") || strings.HasSuffix(p, "/page-080")
		}},
		{name: "custom", painted: true},
		{name: "media", add: largePicture},
		{name: "nested"},
		{name: "formulas"},
		{name: "reference"},
		{name: "brand", add: brandFont},
		{name: "switches", only: func(p string) bool { return p == "/" || p == "/v1" || p == "/install" }},
		{name: "widgets", painted: true, moves: true, ready: `document.documentElement.dataset.widgets === "ready"`},
	}
	themes := []string{"mint", "maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma"}
	for i, theme := range first(3, themes) {
		sites = append(sites, visualSite{name: "theme-" + theme, folder: "themes", turn: i, docs: func(s string) string {
			return strings.Replace(s, `"theme": "mint"`, `"theme": "`+theme+`"`, 1)
		}, only: func(p string) bool { return p == "/" }})
	}
	return sites
}

// files returns the folder of the site, including generated files.
func (s visualSite) files(t *testing.T) fstest.MapFS {
	t.Helper()
	folder := s.name
	if s.folder != "" {
		folder = s.folder
	}
	out, root := fstest.MapFS{}, os.DirFS(filepath.Join("testdata", "visual", folder))
	if err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, name)
		out[name] = &fstest.MapFile{Data: data}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if s.add != nil {
		s.add(out)
	}
	if s.docs != nil {
		out["docs.json"].Data = []byte(s.docs(string(out["docs.json"].Data)))
	}
	return out
}

// pages returns the addresses to open.
func (s visualSite) pages(t *testing.T, files fs.FS) (out []string) {
	t.Helper()
	for _, p := range (testSite{src: files, all: true}).pages(t) {
		address := "/" + strings.TrimSuffix(strings.TrimSuffix(p, "index"), "/")
		if s.only == nil || s.only(address) {
			out = append(out, address)
		}
	}
	return out
}

// Small sites that are typical of authors look right in light and dark mode, on a phone and on a wide screen: text has
// enough contrast and is not cut off, nothing is wider than the window or moves while the page loads, the console is
// empty, and each of the author's selectors matches an element. With -shots, the test writes screenshots of all pages.
func TestAuthorsSitesLookRight(t *testing.T) {
	t.Parallel()
	const tabs = 2 // sites share tabs, because opening a tab costs as much as several pages
	free := make(chan *page, tabs)
	for range tabs {
		free <- tab(t, withoutNetwork)
	}
	for _, s := range visualSites() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			files := s.files(t)
			pages := s.pages(t, files)
			if len(pages) == 0 {
				t.Fatal("the site has no pages")
			}
			base, in := serveFS(t, files).URL, <-free
			defer func() { free <- in }()
			for _, f := range inspect(t, in, s, base, pages) {
				t.Error(f)
			}
		})
	}
}

// Each check of the visual suite finds its defect, reports the element and a figure, and finds nothing else.
func TestVisualChecksFindDefects(t *testing.T) {
	t.Parallel()
	files := os.DirFS(filepath.Join("testdata", "defects"))
	server := httptest.NewServer(http.FileServerFS(files))
	t.Cleanup(server.Close)
	var defects map[string]struct{ Check, Element, Figure string } // by page; "all pages" for defects on every page
	raw, err := fs.ReadFile(files, "defects.json")
	if err == nil {
		err = json.Unmarshal(raw, &defects)
	}
	if err != nil {
		t.Fatal(err)
	}
	pages, err := fs.Glob(files, "*.html")
	for i := range pages {
		pages[i] = "/" + pages[i]
	}
	if err != nil || len(pages) < len(defects) {
		t.Fatalf("%d pages, %d defects: %v", len(pages), len(defects), err)
	}
	site := visualSite{name: "defects", both: true, ready: `document.documentElement.dataset.late !== "soon"`}
	seen := map[string]bool{}
	for _, f := range inspect(t, tab(t, withoutNetwork), site, server.URL, pages) {
		want := defects[f.page]
		if seen[f.page] = true; f.check != want.Check || !strings.Contains(f.element, want.Element) ||
			!strings.Contains(f.figure, want.Figure) {
			t.Errorf("found %s, want %+v", f, want)
		}
	}
	for name, want := range defects {
		if !seen[name] {
			t.Errorf("%s: found nothing, want %+v", name, want)
		}
	}
}

func manyPages(files fstest.MapFS) {
	for i := range generatedPages {
		files[fmt.Sprintf("many/page-%03d.mdx", i)] = &fstest.MapFile{Data: fmt.Appendf(nil,
			"---\ntitle: Page %d of a large group\n---\n\n## A section\n\nText of page %d.\n", i, i)}
	}
}

func nameManyPages(docs string) string {
	var names []string
	for i := range generatedPages {
		names = append(names, fmt.Sprintf(`"many/page-%03d"`, i))
	}
	return strings.Replace(docs, `"$GENERATED"`, strings.Join(names, ", "), 1)
}

func largePicture(files fstest.MapFS) {
	picture := image.NewPaletted(image.Rect(0, 0, 2600, 1000), color.Palette{color.RGBA{15, 118, 110, 255}, color.White})
	draw.Draw(picture, image.Rect(200, 200, 2400, 800), image.NewUniform(color.White), image.Point{}, draw.Src)
	var b bytes.Buffer
	_ = png.Encode(&b, picture) // writes to memory
	files["large.png"] = &fstest.MapFile{Data: b.Bytes()}
}

// brandFont adds one of the platform's fonts to the site as if it were the author's file.
func brandFont(files fstest.MapFS) {
	found, _ := filepath.Glob("../../web/npm/dist/fonts/space-grotesk-latin.*.woff2") // the pattern is valid
	for _, name := range found {
		data, err := os.ReadFile(name)
		if err == nil {
			files["fonts/brand.woff2"] = &fstest.MapFile{Data: data}
		}
	}
}
