package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func translatedSite(t *testing.T) string {
	t.Helper()
	return write(t, map[string]string{
		"docs.json": `{"name": "S", "navigation": {"languages": [{"language": "en", "pages": ["index", "start"]}, {"language": "fr", "pages": ["fr/index"]}]}}`,
		"index.mdx": page("Home"), "start.mdx": page("Start"), "fr/index.mdx": page("Accueil")})
}

func TestTranslationsAreListedMarkedAndReported(t *testing.T) {
	t.Parallel()
	dir := translatedSite(t)
	invoke(t, "translations", dir).want(t, 0, "0 current, 0 stale, 1 unmarked, 1 missing\n").
		printed(t, "LANGUAGE  PAGE      STATE", "fr        fr/index  unmarked", "fr        fr/start  missing")
	invoke(t, "translations", dir, "--json", "--language", "FR").want(t, 0).
		printed(t, `{"language":"fr","page":"fr/index","source":"index","state":"unmarked"}`)
	invoke(t, "translations", dir, "--language", "de").want(t, 4, `no translations into "de"`)
	invoke(t, "translations", dir, "--mark", "fr/start").want(t, 4, `"fr/start" is not the translation of a page`)
	invoke(t, "translations", filepath.Join(dir, "none")).want(t, 2, "The docs folder")

	invoke(t, "translations", dir, "--mark", "fr/index").want(t, 0, "1 page marked").printed(t, "fr/index.mdx")
	invoke(t, "translations", dir, "--mark", "fr/index.mdx").want(t, 0, "0 pages marked")
	if text := read(t, filepath.Join(dir, "fr/index.mdx")); !strings.Contains(text, "\ntranslatedFrom: v1-") {
		t.Error(text)
	}
	invoke(t, "translations", dir).want(t, 0, "1 current, 0 stale, 0 unmarked, 1 missing\n")
	invoke(t, "check", dir, "--strict").want(t, 0, "0 warnings")

	if err := os.WriteFile(filepath.Join(dir, "index.mdx"), []byte(page("New home")), 0o644); err != nil {
		t.Fatal(err)
	}
	invoke(t, "translations", dir).want(t, 0, "0 current, 1 stale")
	invoke(t, "check", dir, "--strict").want(t, 1, "1 warning").printed(t, "fr/index.mdx:3:1: warning: index.mdx changed after", "[translation-stale]")
	invoke(t, "check", dir, "--strict", "--ignore", "translation-stale").want(t, 0, "(1 ignored)")
}
