package agenttools_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/ai/agenttools"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

func translatedToolset() *agenttools.Toolset {
	base := fstest.MapFS{}
	for name, text := range map[string]string{
		"docs.json": `{"name": "S", "navigation": {"languages": [{"language": "en", "pages": ["a", "b"]}, {"language": "fr", "pages": ["fr/a", "fr/b"]}]}}`,
		"a.mdx":     "# A\n\nRun `x`.\n", "b.mdx": "# B\n\nSee [a](/a).\n",
		"fr/a.mdx": "# A\n\nLancez `y`.\n", "fr/b.mdx": "---\ntranslatedFrom: v1-000000000000\n---\n# B\n\nVoir [a](/fr/a).\n"} {
		base[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return agenttools.New(agenttools.Options{Tree: draft.New(base), Base: base})
}

func TestTranslationCheckReportsOnlyNewDifferences(t *testing.T) {
	t.Parallel()
	edit := func(file, old, changed string) [2]string {
		return [2]string{"edit", `{"path": "` + file + `", "old": "` + old + `", "new": "` + changed + `"}`}
	}
	record := func(source string) [2]string {
		return [2]string{"translate", `{"source": "` + source + `", "language": "FR"}`}
	}
	for name, c := range map[string]struct {
		calls [][2]string
		want  string // "" = no finding
	}{
		"nothing":                       {nil, ""},
		"another page":                  {[][2]string{edit("a.mdx", "Run", "Start")}, ""},
		"a difference that was there":   {[][2]string{edit("fr/a.mdx", "Lancez", "Lance")}, ""},
		"recorded with a difference":    {[][2]string{record("a.mdx")}, `The inline code has "y" where a.mdx:3 has "x".`},
		"corrected and recorded":        {[][2]string{edit("fr/a.mdx", "`y`", "`x`"), record("a.mdx")}, ""},
		"a new difference, still stale": {[][2]string{edit("fr/b.mdx", "/fr/a", "/fr/b")}, `The link has "/b" where b.mdx:3 has "/a".`},
		"moved after it was recorded":   {[][2]string{record("b.mdx"), {"move", `{"from": "fr/b", "to": "fr/c"}`}}, ""},
		"a mark of its own":             {[][2]string{edit("fr/b.mdx", "v1-000000000000", "v1-111111111111")}, "not written by translate"},
	} {
		d := translatedToolset()
		for _, call := range c.calls {
			if got := do(t, d, call[0], call[1]); strings.HasPrefix(got, "failed") {
				t.Fatalf("%s: %s", name, got)
			}
		}
		list, err := d.CheckTranslations(t.Context())
		if err != nil || len(list) != min(len(c.want), 1) || len(list) == 1 && !strings.Contains(list[0].String(), c.want) {
			t.Errorf("%s: %v %v, want %q", name, list, err, c.want)
		}
	}
}

func TestTranslateRefusesInvalidCalls(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tool, input, want string }{
		{"translate", `{"source": "none.mdx", "language": "fr", "text": "x"}`, "failed: There is no page none.mdx to translate into fr."},
		{"translate", `{"source": "a.mdx", "language": "de", "text": "x"}`, "failed: There is no page a.mdx to translate into de."},
		{"translate", `{"source": "a.mdx", "language": "fr", "text": "---\ntitle: [\n---\n"}`, "failed: The front matter of the page cannot be read."},
		{"translate", `{"source": "a.mdx"}`, "failed: language is required."},
		{"translation_status", `{"language": "de"}`, "failed: The site has no such language."},
		{"translation_status", `{}`, "0 are current, 2 are not."},
	} {
		if got := do(t, translatedToolset(), c.tool, c.input); !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %s", c.tool, c.input, got)
		}
	}
}
