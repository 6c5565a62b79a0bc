package translation

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
)

// docs returns a docs folder. In files, ~~~ stands for a code fence.
func docs(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(text, "~~~", "```"))}
	}
	return out
}

func markOf(text string) string {
	page, _ := frontmatter.Parse("", []byte(text))
	return Mark(page)
}

const twoLanguages = `{"name": "S", "navigation": {"languages": [
	{"language": "en", "pages": ["index", "guides/start", "guides/deploy"]},
	{"language": "fr", "pages": ["fr/index", "fr/guides/start"]}]}}`

// states lists translations: language, path and state of each.
func states(t *testing.T, src fstest.MapFS) string {
	t.Helper()
	list, err := Load(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range list.List {
		out = append(out, fmt.Sprintf("%s %s %s", s.Language, s.Path, s.State))
	}
	return strings.Join(out, ", ")
}

func TestTranslationsHaveStates(t *testing.T) {
	t.Parallel()
	start := "---\ntitle: Start\n---\n\nRun it.\n"
	files := docs(map[string]string{
		"docs.json": twoLanguages, "index.mdx": "# Home\n", "guides/start.mdx": start, "guides/deploy.mdx": "# Deploy\n",
		"fr/index.mdx":        "# Accueil\n",
		"fr/guides/start.mdx": "---\ntitle: Début\ntranslatedFrom: " + markOf(start) + "\n---\n\nLancez.\n",
	})
	if got := states(t, files); got != "fr fr/index unmarked, fr fr/guides/start current, fr fr/guides/deploy missing" {
		t.Error(got)
	}
	files["fr/guides/deploy.mdx"] = &fstest.MapFile{Data: []byte("# Not in the navigation yet\n")}
	for change, want := range map[string]State{
		strings.ReplaceAll(start, "\n", "\r\n") + "\n":    Current, // to readers there is no difference
		"---\ntitle: Start\nicon: bolt\n---\n\nRun it.\n": Current,
		"---\ntitle: Start now\n---\n\nRun it.\n":         Stale,
		"---\ntitle: Start\n---\n\nRun it now.\n":         Stale,
	} {
		files["guides/start.mdx"] = &fstest.MapFile{Data: []byte(change)}
		if got := states(t, files); got != "fr fr/index unmarked, fr fr/guides/start "+string(want)+", fr fr/guides/deploy unmarked" {
			t.Errorf("%q: %s", change, got)
		}
	}
}

// The language menu uses the same rule to pair pages.
func TestPagesArePairedByFolder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ nav, want string }{
		"a folder for each language": {`{"language": "de", "pages": ["docs/de/a"]}, {"language": "en", "default": true, "pages": ["docs/en/a", "docs/en/b"]}`,
			"de docs/de/a unmarked, de docs/de/b missing"},
		"other names of folders": {`{"language": "en", "pages": ["english/a", "english/b"]}, {"language": "de", "pages": ["german/a"]}`,
			"de german/a unmarked, de de/english/b missing"},
		"the same page in both": {`{"language": "en", "pages": ["a"]}, {"language": "de", "pages": ["a"]}`, "de de/a missing"},
		"one language":          {`{"language": "en", "pages": ["a"]}`, ""},
	} {
		src := docs(map[string]string{"docs.json": `{"name": "S", "navigation": {"languages": [` + c.nav + `]}}`, "a.mdx": "a",
			"docs/de/a.mdx": "a", "docs/en/a.mdx": "a", "docs/en/b.mdx": "b", "english/a.mdx": "a", "english/b.mdx": "b", "german/a.mdx": "a"})
		if got := states(t, src); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestStaleTranslationsAreReported(t *testing.T) {
	t.Parallel()
	files := map[string]string{"docs.json": twoLanguages, "index.mdx": "# Home\n", "guides/start.mdx": "# Start\n", "guides/deploy.mdx": "x\n",
		"fr/index.mdx": "---\ntitle: Accueil\ntranslatedFrom: v1-000000000000\n---\n", "fr/guides/start.mdx": "# Début\n"}
	list, err := Check(t.Context(), docs(files), nil)
	if err != nil || len(list) != 1 ||
		list[0].String() != "fr/index.mdx:3:1: warning: index.mdx changed after this page was translated from it. [translation-stale]" {
		t.Errorf("%v %v", list, err)
	}
	base := docs(files)
	if list, err := Check(t.Context(), docs(files), base); err != nil || len(list) != 0 {
		t.Errorf("the base is equally stale: %v %v", list, err)
	}
	files["index.mdx"] = "# Home again\n"
	if list, err := Check(t.Context(), docs(files), base); err != nil || len(list) != 1 {
		t.Errorf("the source changed since the base: %v %v", list, err)
	}
}

func TestMarkIsSetInFrontMatter(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"text\n":                     "---\ntranslatedFrom: v1-12\n---\n\ntext\n",
		"---\ntitle: T\n---\ntext\n": "---\ntitle: T\ntranslatedFrom: v1-12\n---\ntext\n",
		"---\ntranslatedFrom: v1-9\ntitle: T\n---\n\ntext\n": "---\ntranslatedFrom: v1-12\ntitle: T\n---\n\ntext\n",
	} {
		if out, err := SetMark([]byte(src), "v1-12"); err != nil || string(out) != want {
			t.Errorf("%q: %q %v", src, out, err)
		}
	}
}
