package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// File names that need escaping in addresses are unchanged in the bundle, and every link leads to them.
func TestPagesWithOddNamesAreExported(t *testing.T) {
	t.Parallel()
	src, out := t.TempDir(), t.TempDir()
	names := []string{"ab:c", "what?", "100%", "100%25", "c#", "xx:y/p&q", "sp ace", "lt<gt>", "pipe|", `q"`}
	var nav, links []string
	for i, name := range names {
		file := filepath.Join(src, name+".mdx")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("---\ntitle: Odd\n---\n[Home](/)\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		nav = append(nav, `"`+strings.ReplaceAll(name, `"`, `\"`)+`"`)
		links = append(links, []string{"/ab:c", "./what%3F", "100%25", "/100%2525", "c%23", "/xx:y/p&q", "/sp%20ace",
			"/lt%3Cgt%3E", "/pipe%7C", "/q%22"}[i])
	}
	index := "---\ntitle: Home\n---\n[x](" + strings.Join(links, ") [x](") + ")\n"
	site := `{"name": "Odd", "navigation": {"pages": ["index", ` + strings.Join(nav, ", ") + `]}}`
	for name, text := range map[string]string{"index.mdx": index, "docs.json": site} {
		if err := os.WriteFile(filepath.Join(src, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	invoke(t, "check", src).want(t, 0, "11 pages, 0 errors, 0 warnings")
	for _, file := range []string{"site.tar.gz", "site.zip", "site"} {
		to := filepath.Join(out, file)
		invoke(t, "export", src, "--out", to).want(t, 0)
		invoke(t, "bundle", "verify", to, "--strict").want(t, 0, "0 errors, 0 warnings")
	}
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(out, "site", filepath.FromSlash(name)+".html")); err != nil {
			t.Error(err)
		}
	}
}
