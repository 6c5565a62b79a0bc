package build

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

var update = flag.Bool("update", false, "write the golden files anew")

// memory is a sink that keeps files in memory.
type memory struct {
	files map[string]string
	order []string
}

func (m *memory) Put(_ context.Context, f output.File) error {
	if m.files == nil {
		m.files = map[string]string{}
	}
	data, err := f.Bytes()
	m.files[f.Path] = string(data)
	m.order = append(m.order, f.Path)
	return err
}

func build(t *testing.T, src fs.FS, opt Options) (*memory, *Report) {
	t.Helper()
	out := &memory{}
	r, err := Build(context.Background(), src, opt, out)
	if err != nil {
		t.Fatal(err)
	}
	return out, r
}

func files(text map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, data := range text {
		out[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return out
}

func small() fstest.MapFS {
	return files(map[string]string{
		"docs.json":        `{"name": "Small", "description": "A site.", "navigation": [{"group": "Start", "pages": ["guides/start", "guides/next"]}], "redirects": [{"source": "/old/path", "destination": "/guides/next"}, {"source": "/w/:slug*", "destination": "/guides/:slug*"}, {"source": "/away", "destination": "https://example.com/x"}]}`,
		"guides/start.mdx": "---\ntitle: Start\ndescription: First steps.\n---\nSee [next](./next#part), [gone](/gone), ![pic](/img/a.png).\n",
		"guides/next.mdx":  "---\ntitle: Next\n---\nThe first paragraph.\n\n## Part\n\n[back](/guides/start) [lost](#nowhere)\n",
		"draft.mdx":        "not in navigation",
		"img/a.png":        "png",
	})
}

func TestGoldenTrees(t *testing.T) {
	cases, err := filepath.Glob("testdata/*/in")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, in := range cases {
		dir := filepath.Dir(in)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			for name, style := range map[string]link.Style{"relative": link.Relative, "clean": link.Clean} {
				out, r := build(t, os.DirFS(in),
					Options{BaseURL: "https://docs.example.com", Links: style, Manifest: true, Tool: "test"})
				compare(t, filepath.Join(dir, "want", name), golden(out, r))
			}
		})
	}
}

// golden renders a tree as one text. It includes pages and lists in full, and the theme's files and the manifest by
// name only.
func golden(out *memory, r *Report) string {
	var b strings.Builder
	for _, p := range out.order {
		name := p
		// the name contains a digest that changes with the theme
		if parts := strings.Split(p, "."); strings.HasPrefix(p, "_lectern/") && len(parts) == 3 {
			name = parts[0] + ".*." + parts[2]
		}
		fmt.Fprintf(&b, "== %s\n", name)
		if !strings.HasPrefix(p, "_lectern/") && p != output.ManifestPath && !strings.HasSuffix(p, ".png") {
			b.WriteString(out.files[p] + "\n")
		}
	}
	for _, d := range r.Diagnostics {
		b.WriteString(d.String() + "\n")
	}
	fmt.Fprintf(&b, "pages %d failed %d files %d\n", r.Pages, r.Failed, r.Files)
	text := b.String()
	for _, p := range out.order {
		if parts := strings.Split(p, "."); strings.HasPrefix(p, "_lectern/") && len(parts) == 3 {
			text = strings.ReplaceAll(text, p, parts[0]+".*."+parts[2])
		}
	}
	return text
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	file += ".txt"
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got\n%s", file, got)
	}
}

// B8, B9, B10: in a relative tree, every internal address leads to a file of the tree.
func TestRelativeTreeResolvesWithinItself(t *testing.T) {
	out, r := build(t, small(), Options{Links: link.Relative})
	if r.Pages != 3 || r.Failed != 0 {
		t.Errorf("report %+v", r)
	}
	for _, p := range []string{"index.html", "guides/start.html", "guides/start.md", "draft.html", "404.html",
		"robots.txt", "llms.txt", "old/path.html", "away.html", "img/a.png"} {
		if _, ok := out.files[p]; !ok {
			t.Errorf("no %s", p)
		}
	}
	for name, text := range out.files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, ref := range hrefs(text) {
			if strings.Contains(ref, ":") || strings.HasPrefix(ref, "#") || strings.Contains(ref, "gone") {
				continue
			}
			target := filepath.Join(filepath.Dir(name), strings.SplitN(ref, "#", 2)[0])
			if _, ok := out.files[target]; !ok || strings.HasPrefix(ref, "/") {
				t.Errorf("%s leads to %s", name, ref)
			}
		}
	}
	if codes := codes(r.Diagnostics); codes != "guides/next.mdx:8 broken-anchor; guides/start.mdx:5 broken-link" {
		t.Errorf("findings %s", codes)
	}
}

// hrefs returns the addresses in a page that a browser would follow or load.
func hrefs(html string) (out []string) {
	for _, piece := range strings.Split(html, "<")[1:] {
		if strings.Contains(piece, `rel="canonical"`) {
			continue
		}
		for _, attr := range []string{` href="`, ` src="`, `; url=`} {
			if _, rest, ok := strings.Cut(piece, attr); ok {
				ref, _, _ := strings.Cut(rest, `"`)
				out = append(out, ref)
			}
		}
	}
	return out
}

func codes(list diag.List) string {
	var out []string
	for _, d := range list {
		out = append(out, fmt.Sprintf("%s:%d %s", d.File, d.Line, d.Code))
	}
	return strings.Join(out, "; ")
}

func TestIndexShowsTheFirstPageWithItsCanonicalAddress(t *testing.T) {
	for _, style := range []link.Style{link.Clean, link.Relative} {
		out, _ := build(t, small(), Options{Links: style, BaseURL: "https://d.example"})
		if h := out.files["index.html"]; !strings.Contains(h,
			`<link rel="canonical" href="https://d.example/guides/start">`) || !strings.Contains(h, `<h1 id="page-title">Start</h1>`) {
			t.Errorf("index: %s", h)
		}
	}
}

func TestCleanTreeLeavesRedirectsToTheServer(t *testing.T) {
	out, r := build(t, small(), Options{})
	// the fourth redirect is the folder's
	if _, ok := out.files["old/path.html"]; ok || len(r.Redirects) != 4 || r.Redirects[3].Source != "/guides" {
		t.Errorf("redirects %v", r.Redirects)
	}
	if !strings.Contains(out.files["guides/start.html"], `<a href="/guides/next#part">`) {
		t.Errorf("page %s", out.files["guides/start.html"])
	}
}

func TestPathsSelectPages(t *testing.T) {
	out, r := build(t, small(),
		Options{Paths: []string{"/guides/next", "nope"}, BaseURL: "https://d.example", Links: link.Relative})
	if r.Pages != 1 || out.files["guides/start.html"] != "" || out.files["guides/next.html"] == "" {
		t.Errorf("report %+v", r)
	}
	if !r.Diagnostics.HasErrors() || !strings.Contains(codes(r.Diagnostics), "unknown-path") {
		t.Errorf("findings %v", r.Diagnostics)
	}
	if h := out.files["guides/next.html"]; !strings.Contains(h, `<a href="https://d.example/guides/start">back</a>`) ||
		strings.Contains(h, ">Start</a>") {
		t.Errorf("page %s", h)
	}
}

func TestEmptySiteIsAnErrorAndWritesNothing(t *testing.T) {
	for _, src := range []fstest.MapFS{{}, files(map[string]string{"docs.json": `{"name": "x", "navigation": ["a"]}`}),
		files(map[string]string{"a.mdx": "---\ntitle: [\n---\n"})} {
		out, r := build(t, src, Options{Manifest: true})
		if r.Pages != 0 || len(out.order) != 0 || !strings.Contains(codes(r.Diagnostics), "no-pages") ||
			!r.Diagnostics.HasErrors() {
			t.Errorf("report %+v", r)
		}
	}
}

func TestInvalidPageDoesNotFailOthers(t *testing.T) {
	src := small()
	src["guides/bad.mdx"] = &fstest.MapFile{Data: []byte("---\ntitle: [\n---\nx")}
	out, r := build(t, src, Options{})
	if r.Pages != 3 || r.Failed != 1 || out.files["guides/bad.html"] != "" || out.files["guides/next.html"] == "" {
		t.Errorf("report %+v", r)
	}
	for _, d := range r.Diagnostics {
		if d.Severity == diag.Error && (d.File != "guides/bad.mdx" || d.Line != 2 || d.Column < 1) {
			t.Errorf("finding %v", d)
		}
	}
}

func TestErrorPageShowsItsErrors(t *testing.T) {
	src := small()
	src["guides/bad.mdx"] = &fstest.MapFile{Data: []byte("---\ntitle: Bad\n---\n\n<Card>\n\n</Note>\n")}
	src["worse.mdx"] = &fstest.MapFile{Data: []byte("---\ntitle: [\n---\nx")}
	out, r := build(t, src, Options{ErrorPages: true})
	if r.Pages != 3 || r.Failed != 2 || out.files["guides/bad.md"] != "" || out.files["guides/next.html"] == "" {
		t.Errorf("report %+v", r)
	}
	for file, want := range map[string]string{"guides/bad.html": "guides/bad.mdx:5:1", "worse.html": "worse.mdx:2:"} {
		if h := out.files[file]; !strings.Contains(h, "This page could not be built.") || !strings.Contains(h, want) {
			t.Errorf("%s: %s", file, h)
		}
	}
	if out, _ := build(t, src, Options{}); out.files["guides/bad.html"] != "" || out.files["worse.html"] != "" {
		t.Error("a page with errors was written without ErrorPages")
	}
}

func TestManifestIsLastAndListsEveryFile(t *testing.T) {
	out, r := build(t, small(), Options{Manifest: true, Version: "v1", Commit: "c", Tool: "t"})
	if last := out.order[len(out.order)-1]; last != output.ManifestPath {
		t.Errorf("last file %s", last)
	}
	var m struct {
		Version, Commit, Tool, TreeHash string
		Files                           []struct{ Path string }
	}
	if err := json.Unmarshal([]byte(out.files[output.ManifestPath]), &m); err != nil {
		t.Fatal(err)
	}
	if m.Version != "v1" || m.Commit != "c" || m.Tool != "t" || m.TreeHash != r.TreeHash ||
		len(m.Files) != len(out.order)-1 || r.Files != len(out.order) {
		t.Errorf("manifest %+v", m)
	}
}

// B6: the same input gives the same bytes with any number of workers and in any time zone.
func TestBuildDoesNotDependOnNumberOfWorkers(t *testing.T) {
	src := &generated{pages: 60}
	var first []byte
	var hash string
	for _, workers := range []int{1, 2, 8} {
		t.Setenv("TZ", fmt.Sprintf("Etc/GMT-%d", workers))
		var b bytes.Buffer
		a := output.NewTarGz(&b)
		r, err := Build(context.Background(), src, Options{Workers: workers, Manifest: true, Links: link.Relative}, a)
		if err := errors.Join(err, a.Close()); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first, hash = b.Bytes(), r.TreeHash
		}
		if !bytes.Equal(first, b.Bytes()) || hash != r.TreeHash {
			t.Errorf("with %d workers the archive differs", workers)
		}
	}
}

// refusing is a sink that fails at the nth file.
type refusing struct {
	left int
	err  error
}

func (r *refusing) Put(context.Context, output.File) error {
	if r.left--; r.left < 0 {
		return r.err
	}
	return nil
}

func TestSinkErrorStopsTheBuild(t *testing.T) {
	want := errors.New("disk is full")
	for _, n := range []int{0, 1, 7, 40} {
		if r, err := Build(context.Background(), &generated{pages: 100}, Options{Workers: 4},
			&refusing{n, want}); !errors.Is(err, want) || r != nil {
			t.Errorf("after %d files: %v", n, err)
		}
	}
}

// If the output fails at any file, the build returns the error and leaves no goroutine behind.
func TestOutputErrorAtAnyFileEndsTheBuild(t *testing.T) {
	tools, err := NewTools()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tools.Close() }() // Close only frees memory
	opt := Options{
		Tools: tools, Workers: 2, Links: link.Relative, Manifest: true, Offers: capability.Offers{Search: true},
	}
	whole, _ := build(t, small(), opt)
	want := errors.New("disk is full")
	for n := range whole.order {
		if _, err := Build(t.Context(), small(), opt, &refusing{n, want}); !errors.Is(err, want) {
			t.Errorf("after %d files, before %s: err %v", n, whole.order[n], err)
		}
		if at := buildersAtWork(); at != "" {
			t.Fatalf("after %d files: still running after the build:\n%s", n, at)
		}
	}
}

func TestBuildReportsMissingScratchFolder(t *testing.T) {
	_, err := Build(t.Context(), small(), Options{Scratch: filepath.Join(t.TempDir(), "missing")}, &memory{})
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("err %v", err)
	}
}

func TestCancelStopsTheBuildBetweenPages(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var opened atomic.Int64
	src := &generated{pages: 1000, opened: &opened}
	done := 0
	_, err := Build(ctx, src, Options{Workers: 2, Progress: func(p Progress) {
		if p.Stage == StagePages {
			if done = p.Done; done == 3 {
				cancel()
			}
		}
	}}, &memory{})
	if !errors.Is(err, context.Canceled) || done != 3 {
		t.Errorf("err %v after %d pages", err, done)
	}
	if n := opened.Load(); n > 1000+3+2*(pagesAhead+1)*2+10 { // the scan opens each page once
		t.Errorf("%d files were opened", n)
	}
}

func TestProgressNeverDecreasesAndEndsAtTotal(t *testing.T) {
	var all []Progress
	if _, err := Build(context.Background(), &generated{pages: 50},
		Options{Workers: 4, Progress: func(p Progress) { all = append(all, p) }}, &memory{}); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(all); i++ {
		if all[i].Done < all[i-1].Done || all[i].Total < all[i-1].Total {
			t.Errorf("%+v after %+v", all[i], all[i-1])
		}
	}
	if last := all[len(all)-1]; last != (Progress{Stage: StageDone, Done: 50, Total: 50}) ||
		all[0] != (Progress{Stage: StageScan}) {
		t.Errorf("first %+v last %+v", all[0], last)
	}
}
