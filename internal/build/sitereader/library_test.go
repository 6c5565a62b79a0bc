package sitereader_test

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// tree is a built site: files by name.
type tree map[string][]byte

func (f tree) Put(_ context.Context, file output.File) error {
	f[file.Path] = append([]byte(nil), file.Data...)
	return nil
}

func (f tree) Has(name string) bool { _, ok := f[name]; return ok }

func (f tree) Read(_ context.Context, name string) ([]byte, error) { return f[name], nil }

var source = fstest.MapFS{
	"docs.json": {
		Data: []byte(`{"name":"Rockets","theme":"mint","colors":{"primary":"#112233"},"navigation":{"languages":[
		{"language":"en","pages":["index","guides/start","guides/index","a b"]},{"language":"fr","pages":["fr/start"]}]}}`)},
	"index.mdx": {Data: []byte("---\ntitle: Home\n---\nWelcome.\n")},
	"guides/start.mdx": {Data: []byte(
		"---\ntitle: Start\n---\n## Install\n\nBolt the thruster to the fuselage.\n\n## Fly\n\nThe thruster ignites.\n")},
	"guides/index.mdx": {Data: []byte("---\ntitle: Guides\n---\nAll guides.\n")},
	"fr/start.mdx":     {Data: []byte("---\ntitle: Départ\n---\nVisser le thruster au fuselage.\n")},
	"a b.mdx":          {Data: []byte("---\ntitle: Spaced\n---\nOdd name.\n")},
	"quiet.mdx":        {Data: []byte("---\ntitle: Quiet\nsearchable: false\n---\nthruster quietcanary\n")},
	"secret.mdx":       {Data: []byte("---\ntitle: Secret\ngroups: [staff]\n---\nthruster secretcanary\n")},
}

func open(t *testing.T, search bool) *sitereader.Library {
	t.Helper()
	return openFrom(t, source, search)
}

func openFrom(t *testing.T, docs fs.FS, search bool) *sitereader.Library {
	t.Helper()
	files := tree{}
	report, err := build.Build(t.Context(), docs, build.Options{BaseURL: "https://docs.example.com",
		Links: link.Clean, Offers: capability.Offers{Search: search}}, files)
	if err != nil || report.Failed > 0 {
		t.Fatalf("%+v %v", report, err)
	}
	return sitereader.New(report.Name, files)
}

func TestPageIsFoundByAnyFormOfItsAddress(t *testing.T) {
	l := open(t, true)
	for written, want := range map[string]string{
		"guides/start": "guides/start", "/guides/start": "guides/start", "/guides/start/": "guides/start",
		"guides/start.md": "guides/start", "/guides/start.html?x=1#fly": "guides/start",
		"https://docs.example.com/guides/start#fly": "guides/start", "": "index", "/": "index", "index": "index",
		"/index.md": "index", "guides": "guides/index",
		"a%20b": "a b", "a b": "a b", "./guides/../guides/start": "guides/start", " guides/start ": "guides/start",
	} {
		p, err := l.Page(t.Context(), written)
		if err != nil || p.Path != want || p.Content == "" {
			t.Errorf("%q: %q %v", written, p.Path, err)
		}
	}
	for _, written := range []string{"none", "guides/star", "llms.txt", "_lectern/search/index", "secret", "../secret",
		"docs.json", strings.Repeat("x", 5000), "\x00", "%"} {
		if p, err := l.Page(t.Context(), written); !fault.HasCode(err, "unknown_page") {
			t.Errorf("%.40q: %q %v", written, p.Path, err)
		}
	}
}

func TestSearchFindsPartsBestFirst(t *testing.T) {
	l := open(t, true)
	hits, err := l.Search(t.Context(), sitereader.Query{Text: "bolt thruster", Limit: 10})
	if err != nil || len(hits) == 0 || hits[0].Path != "guides/start" || hits[0].Score != 1 ||
		hits[0].Anchor != "install" {
		t.Fatalf("%+v %v", hits, err)
	}
	for i, h := range hits {
		if h.Score < 0 || h.Score > 1 {
			t.Errorf("hit %d has the score %v", i, h.Score)
		}
	}
	one, err := l.Search(t.Context(), sitereader.Query{Text: "thruster", Limit: 1})
	if err != nil || len(one) != 1 {
		t.Errorf("%+v %v", one, err)
	}
	for text, want := range map[string]string{"fuselage": "guides/start", "visser": "fr/start"} {
		hits, err := l.Search(t.Context(), sitereader.Query{Text: text, Limit: 10})
		for _, h := range hits {
			if h.Path != want {
				t.Errorf("%s without a language finds %s: want pages of the first one, others only if it has none", text, h.Path)
			}
		}
		if err != nil || len(hits) == 0 {
			t.Errorf("%s: %+v %v", text, hits, err)
		}
	}
	french, err := l.Search(t.Context(), sitereader.Query{Text: "thruster", Limit: 10, Language: "fr"})
	if err != nil || len(french) == 0 || french[0].Path != "fr/start" {
		t.Errorf("%+v %v", french, err)
	}
	for _, h := range french {
		if strings.HasPrefix(h.Path, "guides/") {
			t.Errorf("an English page: %+v", h)
		}
	}
}

// A caller who specifies no language gets pages in one language only. The default version of the default language is
// searched first, then its other versions. If none of them has a hit, the pages are in the language of the query.
func TestSearchWithoutLanguageReturnsOneLanguage(t *testing.T) {
	src := fstest.MapFS{"docs.json": {Data: []byte(`{"name":"R","theme":"mint","colors":{"primary":"#112233"},"navigation":{"languages":[
		{"language":"en","versions":[{"version":"2","pages":["two"]},{"version":"1","pages":["one"]}]},
		{"language":"fr","pages":["fr/a","fr/b"]},{"language":"de","pages":["de/a"]}]}}`)}}
	for name, text := range map[string]string{"two": "The thruster ignites.", "one": "A carburettor, long gone.",
		"fr/a": "Visser le thruster, carburettor, phoenix.", "fr/b": "Visser encore.", "de/a": "Ein phoenix, thruster, carburettor."} {
		src[name+".mdx"] = &fstest.MapFile{Data: []byte("---\ntitle: " + name + "\n---\n" + text + "\n")}
	}
	l := openFrom(t, src, true)
	for text, want := range map[string]string{"thruster": "two", "carburettor": "one", "visser phoenix": "fr/a fr/b"} {
		hits, err := l.Search(t.Context(), sitereader.Query{Text: text, Limit: 10})
		var got []string
		for _, h := range hits {
			got = append(got, h.Path)
		}
		slices.Sort(got)
		if s := strings.Join(slices.Compact(got), " "); err != nil || s != want {
			t.Errorf("%s finds %s %v, want %s", text, s, err, want)
		}
	}
	for _, named := range []sitereader.Query{{Language: "en"}, {Language: "en", Version: "2"}, {Language: "en", Dialog: true}} {
		named.Text, named.Limit = "visser", 10
		if hits, err := l.Search(t.Context(), named); err != nil || len(hits) > 0 {
			t.Errorf("%+v finds %+v %v", named, hits, err)
		}
	}
}

// C7: search finds neither restricted pages nor pages that their author excluded from search.
func TestRestrictedAndUnsearchablePagesAreNotFound(t *testing.T) {
	l := open(t, true)
	for _, text := range []string{"thruster", "secretcanary", "quietcanary", "Secret", "Quiet"} {
		hits, err := l.Search(t.Context(), sitereader.Query{Text: text, Limit: sitereader.MaxHits})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hits {
			if h.Path == "secret" || h.Path == "quiet" || strings.Contains(h.Text, "canary") {
				t.Errorf("%q finds %+v", text, h)
			}
		}
	}
}

func TestPagesOutsideIndexAreNotFindable(t *testing.T) {
	l := open(t, true)
	for page, want := range map[string]bool{"index": true, "guides/start": true, "a b": true, "fr/start": true,
		"quiet": false, "secret": false, "none": false, "": false} {
		if got, err := l.Findable(t.Context(), page); err != nil || got != want {
			t.Errorf("%q: %v %v", page, got, err)
		}
	}
	if got, err := open(t, false).Findable(t.Context(), "index"); err != nil || got {
		t.Errorf("without an index: %v %v", got, err)
	}
}

func TestInvalidQueriesHaveDistinctErrors(t *testing.T) {
	for text, code := range map[string]string{"": "invalid_field", " \t": "invalid_field",
		strings.Repeat("é", sitereader.MaxText+1): "invalid_field"} {
		if _, err := open(t, true).
			Search(t.Context(), sitereader.Query{Text: text, Limit: 1}); !fault.HasCode(err, code) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	if _, err := open(t, false).
		Search(t.Context(), sitereader.Query{Text: "x", Limit: 1}); !fault.HasCode(err, "no_search_index") {
		t.Errorf("without an index: %v", err)
	}
}

// The library only returns pages, no matter what a caller requests.
func FuzzPage(f *testing.F) {
	for _, seed := range []string{"guides/start", "../x", "%2e%2e/secret", "http://[::1]:x/", "//a//b", "a?b#c",
		"index.html.md"} {
		f.Add(seed)
	}
	files := tree{"index.html": nil, "index.md": []byte("# Home"), "guides/start.html": nil,
		"guides/start.md": []byte("# Start"), "lone.md": []byte("canary"), "other.txt": []byte("canary")}
	l := sitereader.New("x", files)
	f.Fuzz(func(t *testing.T, written string) {
		p, err := l.Page(t.Context(), written)
		if err == nil && p.Path != "index" && p.Path != "guides/start" ||
			err != nil && !fault.HasCode(err, "unknown_page") {
			t.Fatalf("%q: %+v %v", written, p, err)
		}
	})
}

func TestFileEnforcesSizeLimit(t *testing.T) {
	l := open(t, true)
	raw, err := l.File(t.Context(), "llms.txt", 1<<20)
	if err != nil || len(raw) < 2 {
		t.Fatalf("%q %v", raw, err)
	}
	if _, err := l.File(t.Context(), "llms.txt", len(raw)); err != nil {
		t.Errorf("exactly at the limit: %v", err)
	}
	if _, err := l.File(t.Context(), "llms.txt", len(raw)-1); !fault.HasCode(err, "file_too_large") {
		t.Errorf("too large: %v", err)
	}
	if _, err := l.File(t.Context(), "../llms.txt", 1<<20); !fault.HasCode(err, "unknown_file") {
		t.Errorf("missing file: %v", err)
	}
}
