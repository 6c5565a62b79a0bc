package browser

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/internal/bundle"
)

// sample is how many pages of a corpus site's bundle are opened.
var sample = flag.Int("sample", 25, "pages of each bundle of -corpus to open")

// unpacked is a bundle that the built program has made, checked, and that somebody has unpacked.
type unpacked struct {
	dir   string
	known diag // what the program itself finds in it
}

// diag is what verify says, by file.
type diag map[string][]string

// excuses reports whether verify knows that the page leads nowhere there.
func (d diag) excuses(page, to string) bool {
	return slices.ContainsFunc(d[page], func(text string) bool { return strings.Contains(text, fmt.Sprintf("%q", to)) })
}

// authors are the findings of verify that authors alone can have caused.
var authors = []string{"broken-link", "broken-anchor", "broken-image", "foreign-load", "foreign-import"}

// program builds lectern.
func program(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "lectern")
	build := exec.Command("go", "build", "-o", binary, "../../cmd/lectern")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	return binary
}

// bundled exports a site, verifies the archive and unpacks it.
func bundled(t *testing.T, lectern string, s shelf) unpacked {
	t.Helper()
	src, archive, dir := t.TempDir(), filepath.Join(t.TempDir(), "site.tar.gz"), t.TempDir()
	if err := os.CopyFS(src, s.src); err != nil {
		t.Fatal(err)
	}
	invoke := func(args ...string) []byte {
		var out, said bytes.Buffer
		cmd := exec.Command(lectern, args...)
		cmd.Env = []string{"HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir()}
		cmd.Stdout, cmd.Stderr = &out, &said
		err := cmd.Run()
		if err != nil && (args[0] == "export" || cmd.ProcessState.ExitCode() != 1) {
			t.Fatalf("lectern %v: %v\n%s%s", args, err, out.Bytes(), said.Bytes())
		}
		return out.Bytes()
	}
	invoke("export", src, "--out", archive, "--base-url", "https://docs.example.com", "--no-cache", "--json")
	var report bundle.Report
	if err := json.Unmarshal(invoke("bundle", "verify", archive, "--json"), &report); err != nil {
		t.Fatal(err)
	}
	unpack(t, archive, dir)
	return unpacked{dir: dir, known: judge(t, s, report)}
}

// judge fails the test for what verify finds and no author has caused; in our own docs, for anything.
func judge(t *testing.T, s shelf, report bundle.Report) diag {
	t.Helper()
	known, codes := diag{}, map[string]int{}
	for _, d := range report.Findings {
		codes[d.Code]++
		known[d.File] = append(known[d.File], d.Message)
		if !s.partial || !slices.Contains(authors, d.Code) {
			t.Errorf("verify: %s", d)
		}
	}
	t.Logf("%d files, %d pages, %d links, %d anchors, %d assets; findings %v", report.Files, report.Pages, report.Links, report.Anchors, report.Assets, codes)
	return known
}

func unpack(t *testing.T, archive, dir string) {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for tr := tar.NewReader(zr); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(tr)
		name := filepath.Join(dir, filepath.FromSlash(h.Name))
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

var moved = regexp.MustCompile(` data-to="([^"]*)"`)

// documents lists the pages of a bundle, those with tabs or client components, and where those lead that have moved.
func (u unpacked) documents(t *testing.T) (pages, lively []string, moves map[string]string) {
	t.Helper()
	moves = map[string]string{}
	err := fs.WalkDir(os.DirFS(u.dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".html") {
			return err
		}
		text, err := os.ReadFile(filepath.Join(u.dir, filepath.FromSlash(name)))
		if to := moved.FindSubmatch(text); to != nil {
			moves[name] = string(to[1])
			return err
		}
		if pages = append(pages, name); bytes.Contains(text, []byte("<lectern-island")) || bytes.Contains(text, []byte(`role="tab"`)) {
			lively = append(lively, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages, lively, moves
}

// bases are where one and the same bundle stands: at the root of a plain host, below a path of one with a strict policy, on a disk.
var bases = []struct {
	name  string
	start func(t *testing.T, dir string) string
}{
	{"root", func(t *testing.T, dir string) string { return fallback(t, dir, "/", "") + "/" }},
	{"sub-path", func(t *testing.T, dir string) string { return fallback(t, dir, "/docs/", policyOf(t, dir)) + "/docs/" }},
	{"file", func(_ *testing.T, dir string) string {
		return (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir) + "/"}).String()
	}},
}

// B8, B9, B10: a bundle, as the program writes it, is opened from three places by a browser that has no network but that place: every page
// loads, nothing fails, nobody else is asked, every link, place and file is there, tabs and client components work, and search finds its
// page. With -corpus the same for real sites, of which some pages are opened; what their authors show from elsewhere is counted apart.
func TestBundlesNeedNobody(t *testing.T) {
	lectern := program(t)
	for _, s := range shelves(t) {
		t.Run(s.name, func(t *testing.T) {
			u := bundled(t, lectern, s)
			goal := s.goal(t)
			for _, b := range bases {
				t.Run(b.name, func(t *testing.T) { u.tour(t, s, goal, b.start(t, u.dir)) })
			}
		})
	}
}

// tour opens pages of a bundle below a base.
func (u unpacked) tour(t *testing.T, s shelf, g goal, base string) {
	pages, lively, moves := u.documents(t)
	some := slices.Sorted(maps.Keys(moves))
	if !s.all {
		pages, some = append(spread(pages, *sample), spread(lively, *sample/4)...), spread(some, *sample/5)
		slices.Sort(pages)
		pages = slices.Compact(pages)
	}
	p, w := lonely(t)
	run(p, chromedp.EmulateViewport(1280, 900))
	c := &crawl{base: base, dir: u.dir, pages: map[string]sight{}}
	tabs, islands := 0, 0
	for _, name := range pages {
		p.visit(base + (&url.URL{Path: name}).EscapedPath())
		islands += p.wakes()
		c.pages[name] = eval[sight](p, look)
		tabs += p.switches(name)
		w.idle(p)
	}
	for _, name := range some {
		p.moves(w, base, name, moves[name])
	}
	p.visit(base + (&url.URL{Path: g.start}).EscapedPath() + ".html")
	p.searchAndClick(g)
	w.idle(p)
	if s.partial {
		p.quietBut("Failed to load resource") // of what the folder does not hold, and of other hosts
	} else {
		p.quiet()
	}
	u.check(p, s, c, w.settle(p, base))
	t.Logf("%d pages and %d redirects opened, %d with tabs, %d client components", len(pages), len(some), tabs, islands)
	if s.all && (tabs == 0 || islands == 0) {
		t.Error("our docs show neither tabs nor client components any more")
	}
}

// moves opens a page that has moved and waits for where it leads, if that is in the bundle.
func (p *page) moves(w *watch, base, name, to string) {
	p.t.Helper()
	from, err := url.Parse(base + (&url.URL{Path: name}).EscapedPath())
	if err != nil {
		p.t.Fatal(err)
	}
	target, err := from.Parse(strings.ReplaceAll(to, "&amp;", "&"))
	if err != nil || !strings.HasPrefix(target.String(), base) {
		return // to somebody else's site, which is not there
	}
	w.passing(from.String())
	run(p, chromedp.Navigate(from.String()))
	end := strings.TrimSuffix(target.EscapedPath(), "index.html") // which some servers leave out
	p.until(`location.pathname.startsWith("` + end + `") && document.readyState === "complete" && document.querySelector("p.moved") === null`)
	w.idle(p)
}

// searchAndClick looks for the goal's title by keys, and clicks on it.
func (p *page) searchAndClick(g goal) {
	p.t.Helper()
	title := strings.ToLower(g.title)
	p.until(`document.querySelector("[data-search]")?.hidden === false`)
	p.key("k", chromedp.ModifierCtrl)
	p.until(`document.activeElement.matches("dialog.search input")`)
	p.key(title)
	p.until(activeOption + `?.querySelector(".search-title")?.textContent.toLowerCase() === "` + title + `"`)
	p.click(`dialog.search [role="option"][aria-selected="true"]`)
	p.until(`document.querySelector("h1")?.textContent.trim() === "` + g.title + `" && document.querySelector("dialog.search[open]") === null && document.readyState === "complete"`)
}

// check judges what was asked for and where links lead.
func (u unpacked) check(p *page, s shelf, c *crawl, asked []request) {
	shown, foreign, missing := map[string]string{}, map[string]int{}, 0
	for _, seen := range c.pages {
		maps.Copy(shown, seen.Shown)
	}
	for _, r := range asked {
		file, _, inside := c.inside(r.url)
		page, _, _ := c.inside(r.page)
		if page == "" || strings.HasSuffix(page, "/") {
			page += "index.html" // which some servers leave out
		}
		switch local := regexp.MustCompile(`^(data|blob|about|chrome-error|chrome):`).MatchString(r.url); {
		case inside && r.failure != "" && s.partial && u.known.excuses(page, file):
			missing++
		case inside && r.failure != "":
			p.t.Error(r)
		case inside || local:
		case s.partial && shown[r.url] != "":
			foreign[shown[r.url]]++
		default:
			p.t.Errorf("another host: %s", r)
		}
	}
	excused := 0
	for _, g := range c.unresolved() {
		if s.partial && u.known.excuses(g.page, g.to) {
			excused++
			continue
		}
		p.t.Errorf("%s leads to %s: %s", g.page, g.to, g.why)
	}
	for _, text := range c.addresses() {
		p.t.Error(text)
	}
	p.t.Logf("%d requests; of authors: %d files that the folder lacks, %d links that lead nowhere, from elsewhere %v", len(asked), missing, excused, foreign)
}

// What the other test relies on: the watch sees what fails and who is asked, and the browser has no network.
func TestTheWatchSeesWhatFails(t *testing.T) {
	dir := site(t, searchable()...)
	for _, b := range bases {
		t.Run(b.name, func(t *testing.T) {
			base := b.start(t, dir)
			p, w := lonely(t)
			p.visit(base + "index.html")
			run(p, chromedp.Evaluate[bool](`new Promise((done) => { let n = 0;
				for (const u of ["http://elsewhere.example/a.png", "https://192.0.2.1/b.png", "missing.png"]) {
					const i = new Image(); i.onerror = i.onload = (e) => { if (++n === 3) done(true) }; i.src = u } })`, chromedp.EvalAwaitPromise))
			failed := map[string]bool{}
			for _, r := range w.settle(p, base) {
				if failed[strings.TrimPrefix(r.url, base)] = r.failure != ""; r.url == base+"index.html" && r.failure != "" {
					t.Error(r)
				}
			}
			for _, u := range []string{"http://elsewhere.example/a.png", "https://192.0.2.1/b.png", "missing.png"} {
				if !failed[u] {
					t.Errorf("%s was not seen to fail: %v", u, failed)
				}
			}
		})
	}
}
