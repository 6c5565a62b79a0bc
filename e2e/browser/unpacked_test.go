package browser

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/bundlecheck"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// unpacked is an unpacked bundle that the built program wrote and verified.
type unpacked struct {
	dir   string
	known known // authors' mistakes, according to verify and the sources
}

// known describes the known mistakes of a site's authors.
type known struct {
	src    string              // the site's source folder
	text   string              // the text of all sources, with addresses decoded
	verify map[string][]string // findings of verify, by file
}

// excusesFile reports whether verify found that the page refers to a missing file, and the sources contain no file of
// that name.
func (k known) excusesFile(page, file string) bool {
	for _, ending := range []string{"", ".mdx", ".md"} {
		if _, err := os.Stat(filepath.Join(k.src,
			filepath.FromSlash(strings.TrimSuffix(file, ".html")+ending))); err == nil {
			return false
		}
	}
	return k.reports(page, file)
}

// excusesPlace reports whether verify found that the page links to a missing anchor, and the link is in the sources.
func (k known) excusesPlace(page, id string) bool {
	return strings.Contains(k.text, "#"+id) && k.reports(page, id)
}

func (k known) reports(page, to string) bool {
	return slices.ContainsFunc(k.verify[page],
		func(text string) bool { return strings.Contains(text, fmt.Sprintf("%q", to)) })
}

// sourceText returns the text of all pages and settings below a folder.
func sourceText(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() ||
			!slices.Contains([]string{".mdx", ".md", ".json", ".jsx", ".yaml", ".yml"}, filepath.Ext(name)) {
			return err
		}
		text, err := os.ReadFile(name)
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return encoded.ReplaceAllStringFunc(all.String(), func(byHex string) string {
		plain, err := url.PathUnescape(byHex)
		if err != nil {
			return byHex
		}
		return plain
	})
}

var encoded = regexp.MustCompile(`(%[0-9a-fA-F]{2})+`)

// authors lists the verify findings that only authors can cause.
var authors = []string{"broken-link", "broken-anchor", "broken-image", "foreign-load", "foreign-import"}

// programPath returns the path of the built program.
func programPath(t *testing.T) string {
	t.Helper()
	binary, err := theProgram()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// exportAndUnpack exports a site, verifies the archive and unpacks it.
func exportAndUnpack(t *testing.T, binary string, s testSite) unpacked {
	t.Helper()
	src, archive, dir := t.TempDir(), filepath.Join(t.TempDir(), "site.tar.gz"), t.TempDir()
	if err := os.CopyFS(src, s.src); err != nil {
		t.Fatal(err)
	}
	invoke := func(args ...string) []byte {
		var out, said bytes.Buffer
		cmd := exec.Command(binary, args...)
		cmd.Env = lectern.Environment(t, []string{"TMPDIR=" + t.TempDir()})
		cmd.Stdout, cmd.Stderr = &out, &said
		err := cmd.Run()
		if err != nil && (args[0] == "export" || cmd.ProcessState.ExitCode() != 1) {
			t.Fatalf("lectern %v: %v\n%s%s", args, err, out.Bytes(), said.Bytes())
		}
		return out.Bytes()
	}
	invoke("export", src, "--out", archive, "--base-url", "https://docs.example.com", "--json")
	var report bundlecheck.Report
	if err := json.Unmarshal(invoke("bundle", "verify", archive, "--json"), &report); err != nil {
		t.Fatal(err)
	}
	unpack(t, archive, dir)
	return unpacked{dir: dir, known: known{src, sourceText(t, src), checkReport(t, s, report)}}
}

// checkReport fails the test for verify findings that authors cannot cause, and for our own docs, for any finding.
func checkReport(t *testing.T, s testSite, report bundlecheck.Report) map[string][]string {
	t.Helper()
	known, codes := map[string][]string{}, map[string]int{}
	for _, d := range report.Findings {
		codes[d.Code]++
		known[d.File] = append(known[d.File], d.Message)
		if !s.partial || !slices.Contains(authors, d.Code) {
			t.Errorf("verify: %s", d)
		}
	}
	t.Logf("%d files, %d pages, %d links, %d anchors, %d assets; findings %v", report.Files, report.Pages, report.Links,
		report.Anchors, report.Assets, codes)
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
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(name), 0o755),
			os.WriteFile(name, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

var moved = regexp.MustCompile(` data-to="([^"]*)"`)

// documents lists a bundle's pages. lively has the pages with client components followed by those with tabs, and moves
// maps moved pages to their targets.
func (u unpacked) documents(t *testing.T) (pages, lively []string, moves map[string]string) {
	t.Helper()
	moves = map[string]string{}
	var tabs []string
	err := fs.WalkDir(os.DirFS(u.dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".html") {
			return err
		}
		text, err := os.ReadFile(filepath.Join(u.dir, filepath.FromSlash(name)))
		if to := moved.FindSubmatch(text); to != nil {
			moves[name] = string(to[1])
			return err
		}
		pages = append(pages, name)
		if bytes.Contains(text, []byte("<lectern-island")) {
			lively = append(lively, name)
		} else if bytes.Contains(text, []byte(`role="tab"`)) {
			tabs = append(tabs, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages, append(lively, tabs...), moves
}
