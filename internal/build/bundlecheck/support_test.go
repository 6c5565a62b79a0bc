package bundlecheck

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// tree contains a bundle's files by path.
type tree map[string]string

// goodTree returns a valid bundle whose links are few enough to count by hand.
func goodTree() tree {
	return tree{
		"index.html": page(
			`<link rel="stylesheet" href="_lectern/a.css"><script src="_lectern/a.js" data-fonts="_lectern/a.woff2"></script>`+
				`<link rel="canonical" href="/"><link rel="icon" href="data:,"><script type="application/ld+json">{"@id":"https://x.test/"}</script>`,
			`<h1 id="top-of-all">A</h1><a href="guides/start.html#first">x</a><a href="#top-of-all">y</a><a href="https://reader.test/">z</a>
<img src="images/a%20b.png" srcset="images/a%20b.png 1x, images/c.png 2x"><a href="mailto:a@b.test">m</a><a href="a.pdf#page=2">p</a>`),
		"guides/start.html": page(`<link rel="stylesheet" href="../_lectern/a.css">`,
			`<h2 id="first">F</h2><a href="../index.html">up</a><a href="start.html#first">self</a><a href="#top">top</a><a href="../index.html#:~:text=A">t</a>`),
		"404.html": page(`<link rel="stylesheet" href="/docs/_lectern/a.css">`,
			`<a href="/docs/">home</a><a href="/docs/guides/start.html#first">s</a>`),
		"moved.html": page(
			`<meta http-equiv="refresh" content="0; url=guides/start.html"><link rel="canonical" href="https://x.test/guides/start">`,
			`<a href="guides/start.html">on</a>`),
		"_lectern/a.css":   `@font-face{src:url(a.woff2)} a{background:url("../images/c.png")}`,
		"_lectern/a.js":    `document.title = "x"`,
		"_lectern/a.woff2": "font", "images/a b.png": "png", "images/c.png": "png2", "a.pdf": "pdf",
		"sitemap.xml": `<a href="https://x.test/">`,
		"index.md":    "# A [x](https://x.test)",
	}
}

func page(head, body string) string {
	return "<!doctype html>\n<html lang=\"en\"><head>" + head + "</head>\n<body>\n" + body + "\n</body></html>\n"
}

// manifest returns the manifest of the tree's files.
func (t tree) manifest(version string) string {
	m := output.Manifest{Format: output.ManifestFormat, Tool: "test", Version: version, Features: []string{}}
	for _, path := range slices.Sorted(maps.Keys(t)) {
		if path != output.ManifestPath && path != output.SignaturePath {
			m.Files = append(m.Files, output.ManifestFile{Path: path, Size: int64(len(t[path])),
				SHA256: sha256.Sum256([]byte(t[path])), Type: output.ContentType(path)})
		}
	}
	m.TreeHash = m.Hash()
	data, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// sealed adds the manifest.
func (t tree) sealed() tree {
	out := maps.Clone(t)
	out[output.ManifestPath] = t.manifest("v1")
	return out
}

func (t tree) tarGz(test testing.TB) []byte {
	var list []*tar.Header
	for _, path := range slices.Sorted(maps.Keys(t)) {
		list = append(list, &tar.Header{Typeflag: tar.TypeReg, Name: path, Size: int64(len(t[path])), Mode: 0o644})
	}
	return tarOf(test, list, func(name string) string { return t[name] })
}

// tarOf writes a tar archive with arbitrary entries.
func tarOf(test testing.TB, list []*tar.Header, body func(name string) string) []byte {
	test.Helper()
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	w := tar.NewWriter(gz)
	for _, h := range list {
		if err := w.WriteHeader(h); err != nil {
			test.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			if _, err := w.Write([]byte(body(h.Name))); err != nil {
				test.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		test.Fatal(err)
	}
	if err := gz.Close(); err != nil {
		test.Fatal(err)
	}
	return b.Bytes()
}

func (t tree) zip(test testing.TB) []byte {
	test.Helper()
	var list []*zip.FileHeader
	for _, path := range slices.Sorted(maps.Keys(t)) {
		list = append(list, &zip.FileHeader{Name: path, Method: zip.Deflate})
	}
	return zipOf(test, list, func(name string) string { return t[name] })
}

func zipOf(test testing.TB, list []*zip.FileHeader, body func(name string) string) []byte {
	test.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, h := range list {
		out, err := w.CreateHeader(h)
		if err == nil && !strings.HasSuffix(h.Name, "/") {
			_, err = out.Write([]byte(body(h.Name)))
		}
		if err != nil {
			test.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		test.Fatal(err)
	}
	return b.Bytes()
}

func (t tree) folder() Source {
	files := fstest.MapFS{}
	for path, data := range t {
		files[path] = &fstest.MapFile{Data: []byte(data), Mode: 0o644}
	}
	return Folder(files)
}

func archive(data []byte) Source { return Archive(bytes.NewReader(data), int64(len(data))) }

// check runs Check and fails the test if it returns an error.
func check(t testing.TB, src Source, opt Options) *Report {
	t.Helper()
	r, err := Check(context.Background(), src, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// brief returns the findings as "position code", joined.
func brief(list diag.List) string {
	var out []string
	for _, d := range list {
		out = append(out, strings.TrimSpace(d.Place()+" "+d.Code))
	}
	return strings.Join(out, "; ")
}
