package bundlecheck_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/docs"
	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/bundlecheck"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// memory is a sink that keeps files.
type memory struct{ files fstest.MapFS }

func (m memory) Put(_ context.Context, f output.File) error {
	data, err := f.Bytes()
	m.files[f.Path] = &fstest.MapFile{Data: bytes.Clone(data), Mode: 0o644}
	return err
}

// built exports Lectern's own documentation.
func built(t *testing.T, base string) fstest.MapFS {
	t.Helper()
	m := memory{fstest.MapFS{}}
	_, err := build.Build(t.Context(), docs.Site, build.Options{
		BaseURL: base, Links: link.Relative, Version: "v1", Tool: "test", Manifest: true,
		Offers: capability.Offers{Search: true}, Now: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC),
	}, m)
	if err != nil {
		t.Fatal(err)
	}
	return m.files
}

// B7, B8, B9: the export of our own documentation has no findings.
func TestOurDocsAreSelfContained(t *testing.T) {
	for _, base := range []string{"", "https://docs.example.com"} {
		r, err := bundlecheck.Check(t.Context(), bundlecheck.Folder(built(t, base)), bundlecheck.Options{Version: "v1"})
		if err != nil {
			t.Fatal(err)
		}
		if !r.OK || len(r.Findings) > 0 {
			t.Errorf("with base %q: %v", base, r.Findings)
		}
		if r.Pages < 50 || r.Links < 1000 || r.Anchors < 300 || r.Assets < 500 || len(r.Hosts) == 0 {
			t.Errorf("too little was checked: %+v", r)
		}
	}
}

// B9: canonical addresses and the sitemap have no file extension, links do.
func TestCanonicalURLsHaveNoExtension(t *testing.T) {
	files := built(t, "https://docs.example.com")
	canonical := regexp.MustCompile(`<link rel="canonical" href="([^"]*)">`)
	n := 0
	for name, f := range files {
		for _, m := range canonical.FindAllSubmatch(f.Data, -1) {
			if n++; !bytes.HasPrefix(m[1], []byte("https://docs.example.com/")) ||
				path.Ext(string(m[1][len("https://docs.example.com"):])) != "" {
				t.Errorf("%s: canonical %s", name, m[1])
			}
		}
	}
	var sitemap struct {
		URL []struct {
			Loc string `xml:"loc"`
		} `xml:"url"`
	}
	if err := xml.Unmarshal(files["sitemap.xml"].Data, &sitemap); err != nil {
		t.Fatal(err)
	}
	for _, u := range sitemap.URL {
		if strings.HasSuffix(u.Loc, ".html") {
			t.Errorf("sitemap has %s", u.Loc)
		}
	}
	if n < 50 || len(sitemap.URL) < 50 {
		t.Errorf("%d canonical addresses, %d in the sitemap", n, len(sitemap.URL))
	}
}

// B9: if any part of the search index is missing, that is reported.
func TestMissingSearchFilesAreFound(t *testing.T) {
	files := built(t, "")
	missing := map[string]map[string]bool{} // by file name: the codes of the findings about it
	for name := range files {
		if strings.HasPrefix(name, "_lectern/search/") && path.Base(name) != "index.js" {
			missing[name] = map[string]bool{}
			delete(files, name)
		}
	}
	r, err := bundlecheck.Check(t.Context(), bundlecheck.Folder(files), bundlecheck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Findings {
		about := d.File // the file that is listed but missing
		if quoted := strings.Split(d.Message, `"`); d.Code == "missing-asset" && len(quoted) > 1 {
			about = quoted[1]
		}
		if codes := missing[about]; codes != nil {
			codes[d.Code] = true
		}
	}
	for name, codes := range missing {
		if !codes["missing-asset"] || !codes["file-missing"] {
			t.Errorf("without %s: %v", name, codes)
		}
	}
	if len(missing) < 10 {
		t.Errorf("only %d parts", len(missing))
	}
}
