package cli

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// sitePart lists some files that every export of smallSite contains.
var sitePart = []string{"404.html", "guides/start.html", "guides/start.md", "images/dot.svg", "index.html", "index.md",
	"llms.txt", "manifest.json"}

func TestExportWritesTheSameSiteInEachFormat(t *testing.T) {
	t.Parallel()
	src, out := smallSite(t), t.TempDir()
	names := map[string][]string{}
	for _, c := range []struct{ file, format string }{{"a.tar.gz", ""}, {"b.tgz", ""}, {"c.zip", ""}, {"d", ""},
		{"e.bin", "tar.gz"}, {"f.bin", "zip"}, {"g.zip", "dir"}} {
		args := []string{"export", src, "--out", filepath.Join(out, c.file)}
		if c.format != "" {
			args = append(args, "--format", c.format)
		}
		a := invoke(t, args...).want(t, 0)
		if !strings.HasPrefix(a.stdout, "2 pages, ") || strings.Count(a.stdout, "\n") != 1 {
			t.Errorf("%s: said %q", c.file, a.stdout)
		}
		names[c.file] = contents(t, filepath.Join(out, c.file))
		if c.file != "d" && c.file != "g.zip" {
			sum := sha256.Sum256([]byte(read(t, filepath.Join(out, c.file))))
			if !strings.Contains(a.stdout, hex.EncodeToString(sum[:])) {
				t.Errorf("%s: %q lacks the file's sum", c.file, a.stdout)
			}
		}
	}
	for file, got := range names {
		if !slices.Equal(got, names["d"]) {
			t.Errorf("%s holds %v, the folder %v", file, got, names["d"])
		}
	}
	for _, name := range sitePart {
		if !slices.Contains(names["d"], name) {
			t.Errorf("the export lacks %s: %v", name, names["d"])
		}
	}
	if got := list(t, out); slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "partial") }) {
		t.Errorf("unfinished files are left: %v", got)
	}
}

// contents lists the files of an archive or folder in order, and checks its format.
func contents(t *testing.T, name string) []string {
	t.Helper()
	if info, err := os.Stat(name); err != nil || info.IsDir() {
		return list(t, name)
	}
	var names []string
	if z, err := zip.OpenReader(name); err == nil {
		defer z.Close()
		for _, f := range z.File {
			names = append(names, f.Name)
		}
		slices.Sort(names)
		return names
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	gz, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(gz); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
	}
	slices.Sort(names)
	return names
}

func TestExportOfTheSameSourceIsByteIdentical(t *testing.T) {
	t.Parallel()
	src, out := smallSite(t), t.TempDir()
	for _, ending := range []string{".tar.gz", ".zip"} {
		first, second := filepath.Join(out, "1"+ending), filepath.Join(out, "2"+ending)
		for _, name := range []string{first, second, second} { // an existing archive is replaced
			invoke(t, "export", src, "--out", name, "--label", "v1").want(t, 0)
		}
		if read(t, first) != read(t, second) {
			t.Errorf("two %s exports differ", ending)
		}
	}
}

func TestFailedExportLeavesExistingFiles(t *testing.T) {
	t.Parallel()
	src, out := brokenSite(t), t.TempDir()
	for _, name := range []string{"site.tar.gz", "site.zip", "site"} {
		invoke(t, "export", src, "--out", filepath.Join(out, name)).want(t, 1, "guides/start.mdx:", ": error: ",
			"Nothing was written, because the site has errors (1 page failed).")
	}
	if got, err := os.ReadDir(out); err != nil || len(got) != 0 {
		t.Errorf("left %v, %v", got, err)
	}
	archive, folder := filepath.Join(out, "old.zip"), filepath.Join(out, "old")
	good := smallSite(t)
	invoke(t, "export", good, "--out", archive).want(t, 0)
	invoke(t, "export", good, "--out", folder).want(t, 0)
	before, files := read(t, archive), list(t, out)
	invoke(t, "export", src, "--out", archive).want(t, 1)
	invoke(t, "export", src, "--out", folder).want(t, 1)
	if read(t, archive) != before || !slices.Equal(list(t, out), files) {
		t.Errorf("a failed export changed existing files: %v, before %v", list(t, out), files)
	}
}

func TestInterruptedExportLeavesNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out := t.TempDir()
	for _, name := range []string{"site.tar.gz", "site.zip", "site"} {
		invokeWith(ctx, "export", smallSite(t), "--out", filepath.Join(out, name)).want(t, 1, "Interrupted.")
	}
	if got, err := os.ReadDir(out); err != nil || len(got) != 0 {
		t.Errorf("left %v, %v", got, err)
	}
}

func TestExportIntoFolderReplacesOnlyEarlierExport(t *testing.T) {
	t.Parallel()
	files := siteFiles()
	files["old/page.mdx"] = "---\ntitle: Old\n---\n\nGone soon.\n"
	src, out := write(t, files), t.TempDir()
	invoke(t, "export", src, "--out", out).want(t, 0)
	if err := os.WriteFile(filepath.Join(out, "CNAME"), []byte("docs.example.com"), 0o600); err != nil {
		t.Fatal(err)
	}
	invoke(t, "export", smallSite(t), "--out", out).want(t, 0)
	got := list(t, out)
	if !slices.Contains(got, "CNAME") || slices.Contains(got, "old/page.html") || !slices.Contains(got, "index.html") {
		t.Errorf("holds %v", got)
	}
	if _, err := os.Stat(filepath.Join(out, "old")); err == nil {
		t.Error("an empty folder is left")
	}
}

func TestExportIntoFolderWithOtherFilesNeedsForce(t *testing.T) {
	t.Parallel()
	out := write(t, map[string]string{"mine.txt": "x", "manifest.json": `{"name": "a web app"}`})
	invoke(t, "export", smallSite(t), "--out", out).want(t, 2, "is not empty", "--force")
	if got := list(t, out); !slices.Equal(got, []string{"manifest.json", "mine.txt"}) {
		t.Errorf("the folder was touched: %v", got)
	}
	invoke(t, "export", smallSite(t), "--out", out, "--force").want(t, 0)
	if got := list(t, out); !slices.Contains(got, "mine.txt") || !slices.Contains(got, "index.html") {
		t.Errorf("holds %v", got)
	}
}

func TestExportExcludesOutputInsideDocsFolder(t *testing.T) {
	src := smallSite(t)
	t.Chdir(src)
	for range 2 { // the second run finds the output of the first
		invoke(t, "export", ".", "--out", "dist").want(t, 0)
		if got := list(t, "dist"); slices.ContainsFunc(got,
			func(s string) bool { return strings.HasPrefix(s, "dist/") }) {
			t.Fatalf("the export contains itself: %v", got)
		}
	}
	if err := os.RemoveAll("dist"); err != nil {
		t.Fatal(err)
	}
	invoke(t, "export", ".", "--out", "site.zip").want(t, 0)
	first := read(t, "site.zip")
	invoke(t, "export", src, "--out", "site.zip").want(t, 0)
	if read(t, "site.zip") != first {
		t.Error("the second archive contains the first")
	}
	invoke(t, "export", ".", "--out", ".", "--force").want(t, 2, "The docs folder itself")
}

func TestExportPrintsResultAsJSON(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "new", "site.tar.gz")
	a := invoke(t, "export", smallSite(t), "--out", out, "--json", "--path", "guides/start").want(t, 0)
	var got exportResult
	if err := json.Unmarshal([]byte(a.stdout), &got); err != nil || a.stderr != "" {
		t.Fatalf("%v: %s%s", err, a.stdout, a.stderr)
	}
	sum := sha256.Sum256([]byte(read(t, out)))
	if !got.OK || got.Pages != 1 || got.Out != out || got.Format != "tar.gz" ||
		got.SHA256 != hex.EncodeToString(sum[:]) || got.Files == 0 || got.TreeHash == "" || got.Diagnostics == nil {
		t.Errorf("%+v", got)
	}
	if !regexp.MustCompile(`^tree-[0-9a-f]{12}-p[0-9a-f]{8}$`).MatchString(got.Version) {
		t.Errorf("a part of the site has the version %q", got.Version)
	}
	same := invoke(t, "export", smallSite(t), "--out", out+".zip", "--json", "--path", "/guides/start.mdx").want(t, 0)
	if !strings.Contains(same.stdout, strconv.Quote(got.Version)) {
		t.Errorf("with the page written differently, the version is not %s: %s", got.Version, same.stdout)
	}
	a = invoke(t, "export", brokenSite(t), "--out", out, "--json").want(t, 1)
	got = exportResult{}
	if err := json.Unmarshal([]byte(a.stdout), &got); err != nil || got.OK || got.Failed != 1 ||
		!got.Diagnostics.HasErrors() || got.SHA256 != "" {
		t.Errorf("%v: %s", err, a.stdout)
	}
}

func TestExportProgressIsPlainLinesWithoutATerminal(t *testing.T) {
	t.Parallel()
	a := invoke(t, "export", smallSite(t), "--out", filepath.Join(t.TempDir(), "s.zip")).
		want(t, 0, "100 %  2 of 2 pages\n")
	if strings.ContainsAny(a.stderr, "\r\x1b") || strings.Count(a.stderr, "%") > 10 {
		t.Errorf("progress was %q", a.stderr)
	}
}

func TestExportRefusesInvalidBaseURL(t *testing.T) {
	t.Parallel()
	for _, u := range []string{"docs.example.com", "https://docs.example.com/a/../b", "https://docs.example.com/a%20b",
		"https://docs.example.com/?a", "https://docs.example.com//a", "ftp://x"} {
		invoke(t, "export", smallSite(t), "--out", filepath.Join(t.TempDir(), "s.zip"), "--base-url", u).
			want(t, 2, "--base-url must be an address")
	}
}

func TestCheckPrintsFindings(t *testing.T) {
	t.Parallel()
	if a := invoke(t, "check", smallSite(t)).want(t, 0, "2 pages, 0 errors, 0 warnings"); a.stdout != "" {
		t.Errorf("printed %q", a.stdout)
	}
	a := invoke(t, "check", brokenSite(t)).want(t, 1)
	if !strings.HasPrefix(a.stdout, "guides/start.mdx:") || !strings.Contains(a.stdout, ": error: ") {
		t.Errorf("printed %q", a.stdout)
	}
}

func TestCheckJSONPrintsOneFindingPerLine(t *testing.T) {
	t.Parallel()
	files := siteFiles()
	files["index.mdx"] = "---\ntitle: Welcome\n---\n\n[Nowhere](/nowhere)\n"
	if a := invoke(t, "check", write(t, files), "--json").
		want(t, 0); !strings.Contains(a.stdout, `"severity":"warning"`) {
		t.Errorf("a warning is not a failure, and is printed: %s", a.stdout)
	}
	files["guides/start.mdx"] = "---\ntitle: [Start\n---\n"
	a := invoke(t, "check", write(t, files), "--json").want(t, 1)
	var found diag.List
	for line := range strings.Lines(a.stdout) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		for _, name := range []string{"file", "line", "column", "severity", "code", "message"} {
			if fields[name] == nil {
				t.Errorf("%q lacks %s", line, name)
			}
		}
		var d diag.Diagnostic
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		found = append(found, d)
	}
	if len(found) < 2 || !found.HasErrors() {
		t.Errorf("found %v", found)
	}
}
