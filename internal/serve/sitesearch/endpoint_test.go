package sitesearch_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/serve/sitesearch"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// files are the files of a built site.
type files map[string][]byte

func (f files) Put(_ context.Context, file output.File) error {
	data, err := file.Bytes()
	f[file.Path] = append([]byte(nil), data...)
	return err
}

func (f files) Has(name string) bool { _, ok := f[name]; return ok }

func (f files) Read(_ context.Context, name string) ([]byte, error) {
	if data, ok := f[name]; ok {
		return data, nil
	}
	return nil, fault.New(fault.NotFound, "unknown_file", "File not found.")
}

func newSite(t *testing.T) (files, siteapi.Site) {
	t.Helper()
	out := files{}
	page := func(title, text string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("---\ntitle: " + title + "\n---\n" + text + "\n")}
	}
	_, err := build.Build(context.Background(), fstest.MapFS{
		"docs.json": {Data: []byte(`{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"},
			"navigation": {"pages": ["index", "deploy", "billing"]}}`)},
		"index.mdx": page("Welcome", "The first page of all."),
		"deploy.mdx": page("Deployment",
			"How a deployment runs.\n\n## Deployment history\n\nA <b>deployment</b> is rolled back with one command."),
		"billing.mdx": page("Billing", "A deployment costs nothing."),
	}, build.Options{Offers: capability.Offers{Search: true}}, out)
	if err != nil {
		t.Fatal(err)
	}
	return out, siteapi.Site{Library: sitereader.New("T", out)}
}

type reply struct {
	Hits []struct {
		Path, Anchor, Title, Heading string
		Snippet                      [][2]any
	}
	More bool
	Code string
}

func ask(t *testing.T, s siteapi.Site, method, query string, packed bool) (int, reply) {
	t.Helper()
	r := httptest.NewRequest(method, capability.SearchPath+"?"+query, nil)
	if packed {
		r.Header.Set("Accept-Encoding", "gzip")
	}
	w := httptest.NewRecorder()
	sitesearch.New().ServeSite(w, r, s)
	var body io.Reader = w.Body
	if packed {
		unpacked, err := gzip.NewReader(body)
		if err != nil {
			t.Fatal(err)
		}
		body = unpacked
	}
	var out reply
	if err := json.NewDecoder(body).Decode(&out); err != nil {
		t.Fatal(err)
	}
	return w.Code, out
}

// The endpoint returns what the dialog finds in the files: the same hits in the same order, with their snippets.
func TestEndpointMatchesDialogSearch(t *testing.T) {
	site, s := newSite(t)
	x, err := searchindex.Open(func(name string) ([]byte, error) { return site[searchindex.Folder+"/"+name], nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"deployment", "deploy", "rolled back", "deplyoment history", "nothing at all"} {
		want, err := x.Find(t.Context(), searchindex.Query{Text: text, Limit: 30, Texts: searchindex.AllTexts})
		if err != nil {
			t.Fatal(err)
		}
		for _, packed := range []bool{false, true} {
			status, got := ask(t, s, http.MethodGet, "limit=30&q="+url.QueryEscape(text), packed)
			if status != http.StatusOK || len(got.Hits) != len(want.Hits) || got.More || len(got.Hits) == 0 {
				t.Fatalf("%q: status %d, %d hits, want %d", text, status, len(got.Hits), len(want.Hits))
			}
			for i, h := range got.Hits {
				snippet := ""
				for _, p := range h.Snippet {
					snippet += p[0].(string)
				}
				if w := want.Hits[i]; h.Path != w.Path || h.Anchor != w.Anchor || h.Heading != w.Heading ||
					snippet != w.Snippet.Text {
					t.Errorf("%q: hit %d is %+v, want %+v", text, i, h, w)
				}
			}
		}
	}
	if _, got := ask(t, s, http.MethodGet, "q=deployment", false); len(got.Hits) == 0 || got.Hits[0].Path != "deploy" ||
		got.Hits[0].Snippet[1] != [2]any{"deployment", true} {
		t.Errorf("the best hit is %+v", got.Hits)
	}
}

func TestInvalidQueriesAreRefused(t *testing.T) {
	_, s := newSite(t)
	for _, c := range []struct {
		method, query string
		status        int
	}{
		{http.MethodPost, "q=deployment", http.StatusMethodNotAllowed}, {http.MethodGet, "", http.StatusBadRequest},
		{http.MethodGet, "q=" + strings.Repeat("x", 501), http.StatusBadRequest},
	} {
		if status, got := ask(t, s, c.method, c.query, false); status != c.status || got.Code == "" {
			t.Errorf("%s %.20s: status %d, code %q", c.method, c.query, status, got.Code)
		}
	}
	none := siteapi.Site{Library: sitereader.New("T", files{})}
	if status, got := ask(t, none, http.MethodGet, "q=x", false); status != http.StatusConflict || got.Code == "" {
		t.Errorf("a site without an index: status %d, %+v", status, got)
	}
}
