package build_test

import (
	"bytes"
	"context"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// shelf is a sink that keeps the files of a build.
type shelf map[string]output.File

func (s shelf) Put(_ context.Context, f output.File) error {
	f.Data = slices.Clone(f.Data)
	s[f.Path] = f
	return nil
}

// openSearch opens the index of a build.
func openSearch(t *testing.T, files shelf) *searchindex.Index {
	t.Helper()
	x, err := searchindex.Open(func(name string) ([]byte, error) {
		f, ok := files[path.Join(searchindex.Folder, name)]
		if !ok {
			return nil, os.ErrNotExist
		}
		return f.Data, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func places(t *testing.T, x *searchindex.Index, q searchindex.Query) (out []string) {
	t.Helper()
	hits, err := x.Search(context.Background(), q)
	if err != nil {
		t.Fatalf("%q: %v", q.Text, err)
	}
	for _, h := range hits {
		if !slices.Contains(out, h.Path) {
			out = append(out, h.Path)
		}
	}
	return out
}

// C7: pages that readers must not see, or that the author excluded, are in no file of the index. Pages with only
// robots: noindex are still found.
func TestSearchFollowsTheVisibilityRules(t *testing.T) {
	page := func(front, body string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("---\n" + front + "\n---\n\n" + body + "\n")}
	}
	src := fstest.MapFS{
		"docs.json": {Data: []byte(`{"name":"S","theme":"mint","colors":{"primary":"#123456"},"navigation":{"groups":[
			{"group":"Open","pages":["index","plain","quiet","noindex"]},
			{"group":"Loud","boost":5,"pages":["loud"]},
			{"group":"Off","searchable":false,"pages":["off"]},
			{"group":"Gone","hidden":true,"pages":["gone"]}]}}`)},
		"index.mdx":    page("title: Home", "Canary is everywhere: canary0"),
		"plain.mdx":    page("title: Plain\nkeywords: [\"kanarienvogel\"]", "## A place\n\nThe canary sings canary1."),
		"loud.mdx":     page("title: Loud", "## A place\n\nThe canary sings canary2."),
		"quiet.mdx":    page("title: Quiet\nrobots: noindex", "canary canary3"),
		"noindex.mdx":  page("title: Noindex\nnoindex: true", "canary SECRETG"),
		"unlisted.mdx": page("title: Unlisted", "canary canary4"),
		"hidden.mdx":   page("title: Hidden\nhidden: true", "canary SECRETA"),
		"out.mdx":      page("title: Out\nsearchable: false", "canary SECRETB"),
		"off.mdx":      page("title: Off", "canary SECRETC"),
		"gone.mdx":     page("title: Gone", "canary SECRETD"),
		"members.mdx":  page("title: Members\ngroups: [\"staff\"]", "canary SECRETE"),
		"link.mdx":     page("title: Link\nurl: https://example.com", "canary SECRETF"),
	}
	files := shelf{}
	if _, err := build.Build(context.Background(), src, build.Options{Offers: capability.Offers{Search: true}},
		files); err != nil {
		t.Fatal(err)
	}
	for name, f := range files {
		if strings.HasPrefix(name, searchindex.Folder+"/") && bytes.Contains(bytes.ToLower(f.Data), []byte("secret")) {
			t.Errorf("%s contains text that must not be found: %.400s", name, f.Data)
		}
		if strings.HasPrefix(name, searchindex.Folder+"/") &&
			f.Immutable != (path.Base(name) != searchindex.EntryName) {
			t.Errorf("%s: immutable %v", name, f.Immutable)
		}
	}
	x := openSearch(t, files)
	got := places(t, x, searchindex.Query{Text: "canary", Limit: 50})
	if got[0] != "loud" {
		t.Errorf("the boosted page is not first: %v", got)
	}
	slices.Sort(got)
	if want := []string{"index", "loud", "plain", "quiet", "unlisted"}; !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
	if got := places(t, x, searchindex.Query{Text: "kanarienvogel"}); !slices.Equal(got, []string{"plain"}) {
		t.Errorf("by keyword: %v", got)
	}
	if page := string(files["plain.html"].Data); !strings.Contains(page, `data-index="`) {
		t.Error("the page has no search button")
	}
}

// A search covers the reader's version, and pages that belong to several versions or to none.
func TestSearchFiltersByVersionAndLanguage(t *testing.T) {
	src := fstest.MapFS{"docs.json": {
		Data: []byte(`{"name":"S","theme":"mint","colors":{"primary":"#123456"},"navigation":{"versions":[
		{"version":"v2","tabs":[{"tab":"Guides","pages":["index","v2/start","both"]},{"tab":"API","pages":["v2/api"]}]},
		{"version":"v1","pages":["v1/start","both"]}]}}`)}}
	for _, name := range []string{"index", "v2/start", "v2/api", "v1/start", "both", "nowhere"} {
		src[name+".mdx"] = &fstest.MapFile{Data: []byte("---\ntitle: " + name + "\n---\n\nA lantern.\n")}
	}
	files := shelf{}
	if _, err := build.Build(context.Background(), src, build.Options{Offers: capability.Offers{Search: true}}, files); err != nil {
		t.Fatal(err)
	}
	x := openSearch(t, files)
	for _, c := range []struct {
		q    searchindex.Query
		want string
	}{
		{searchindex.Query{Version: "v1"}, "both nowhere v1/start"},
		{searchindex.Query{Version: "v2"}, "both index nowhere v2/api v2/start"},
		{searchindex.Query{Version: "v2", Tag: "api"}, "nowhere v2/api"},
		{searchindex.Query{}, "both index nowhere v1/start v2/api v2/start"},
		{searchindex.Query{Version: "v1", Language: "fr"}, "both nowhere v1/start"}, // this site has no languages
	} {
		c.q.Text, c.q.Limit = "lantern", 50
		got := places(t, x, c.q)
		slices.Sort(got)
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%+v: %s, want %s", c.q, s, c.want)
		}
	}
}

// Readers of one language never get pages of another. A page outside the navigation has the language of its folder,
// otherwise the default language.
func TestSearchKeepsLanguagesApart(t *testing.T) {
	src := fstest.MapFS{"docs.json": {
		Data: []byte(`{"name":"S","theme":"mint","colors":{"primary":"#123456"},"navigation":{"languages":[
		{"language":"en","pages":["index","both"]},{"language":"fr","pages":["fr/index","both"]}]}}`)}}
	for _, name := range []string{"index", "fr/index", "both", "loose", "fr/loose", "es/loose"} {
		src[name+".mdx"] = &fstest.MapFile{Data: []byte("---\ntitle: " + name + "\n---\n\nA lantern.\n")}
	}
	files := shelf{}
	if _, err := build.Build(context.Background(), src, build.Options{Offers: capability.Offers{Search: true}}, files); err != nil {
		t.Fatal(err)
	}
	x := openSearch(t, files)
	for language, want := range map[string]string{"en": "both es/loose index loose", "fr": "both fr/index fr/loose"} {
		got := places(t, x, searchindex.Query{Text: "lantern", Limit: 50, Language: language})
		slices.Sort(got)
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", language, s, want)
		}
	}
}

// D9: without search, no file of the index is written.
func TestBuildWithoutSearchWritesNoIndex(t *testing.T) {
	files := shelf{}
	if _, err := build.Build(context.Background(), os.DirFS("../../docs"), build.Options{}, files); err != nil {
		t.Fatal(err)
	}
	for name, f := range files {
		if strings.HasPrefix(name, searchindex.Folder) || strings.HasPrefix(name, "_lectern/search.") {
			t.Errorf("%s was written", name)
		}
		if strings.HasSuffix(name, ".html") && bytes.Contains(f.Data, []byte("data-search")) {
			t.Errorf("%s has a search button", name)
		}
	}
}

// The index does not depend on the number of workers.
func TestSearchIndexDoesNotDependOnNumberOfWorkers(t *testing.T) {
	var first shelf
	for _, workers := range []int{1, 4} {
		files := shelf{}
		if _, err := build.Build(context.Background(), os.DirFS("../../docs"),
			build.Options{Offers: capability.Offers{Search: true}, Workers: workers}, files); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = files
			continue
		}
		if len(first) != len(files) {
			t.Errorf("%d files, then %d", len(first), len(files))
		}
		for name, f := range first {
			if !bytes.Equal(f.Data, files[name].Data) {
				t.Errorf("%s differs", name)
			}
		}
	}
}

// Common questions about our own docs find their page: usually first, always among the first three.
func TestSearchAnswersQuestionsAboutOurDocs(t *testing.T) {
	files := shelf{}
	if _, err := build.Build(context.Background(), os.DirFS("../../docs"),
		build.Options{Offers: capability.Offers{Search: true}, Links: link.Relative}, files); err != nil {
		t.Fatal(err)
	}
	x := openSearch(t, files)
	first := 0
	for _, c := range questionsAboutUs {
		got := places(t, x, searchindex.Query{Text: c.question, Limit: 12})
		switch at := slices.Index(got, c.page); {
		case at == 0:
			first++
		case at < 0 || at > 2 || c.best:
			t.Errorf("%q: %s is at %d of %v", c.question, c.page, at+1, got)
		}
	}
	if share := float64(first) / float64(len(questionsAboutUs)); share < 0.85 {
		t.Errorf("only %.0f%% of the questions have their page first", 100*share)
	}
}
