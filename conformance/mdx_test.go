package conformance

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx"
)

var update = flag.Bool("update", false, "write what the parser does now into the fixtures")

// A fixture is a txtar file: page.mdx is the page, tree the expected syntax tree, findings the messages to its author.
// In page.mdx, characters that editors tend to corrupt are replaced: ␍ is a carriage return, → a tab, ␀ a NUL byte.
func TestMDXFixturesParseAsRecorded(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("mdx", "*.txtar"))
	if err != nil || len(files) < 60 {
		t.Fatalf("%d fixtures, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			head, page, want := parts(t, string(b))
			body := strings.NewReplacer("␍", "\r", "→", "\t", "␀", "\x00").Replace(page)
			root, list := mdx.Parse("page.mdx", []byte(body), 1)
			var got strings.Builder
			got.WriteString("-- tree --\n" + printTree(body, root.Children) + "-- findings --\n")
			for _, d := range list {
				got.WriteString(d.String() + "\n")
				if d.Hint == "" {
					t.Errorf("%s has no hint", d.String())
				}
			}
			if *update {
				if err := os.WriteFile(file, []byte(head+"-- page.mdx --\n"+page+got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got.String() != want {
				t.Errorf("%s\n--- want\n%s--- got\n%s", page, want, got.String())
			}
		})
	}
}

// parts splits a fixture into its comment, its page and the rest.
func parts(t *testing.T, s string) (head, page, want string) {
	t.Helper()
	head, rest, ok := strings.Cut(s, "-- page.mdx --\n")
	if !ok {
		t.Fatal("no -- page.mdx --")
	}
	page, want, ok = strings.Cut(rest, "-- tree --\n")
	if ok {
		want = "-- tree --\n" + want
	}
	return head, page, want
}
