package git

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Files of a commit are searched, listed and compared as git objects: links are not followed, and no name leads out.
func TestCommitIsSearchedListedAndCompared(t *testing.T) {
	s := newSource(t, map[string]string{"api/main.go": "package main\n\nconst Port = 8080\n", "README.md": "Port: see api\n",
		":odd": "port 1\n", "data.bin": "port\x00\x01"})
	if err := os.Symlink("/etc/passwd", filepath.Join(s.dir, "api", "link")); err != nil {
		t.Fatal(err)
	}
	git(t, s.dir, "add", "-A")
	git(t, s.dir, "commit", "-q", "-m", "link")
	first := git(t, s.dir, "rev-parse", "HEAD")
	s.commit(map[string]string{"api/main.go": "package main\n\nconst Port = 9090\n"})
	second := git(t, s.dir, "rev-parse", "HEAD")
	c, r := localCache(t), Remote{Local: true, URL: s.dir, Branch: "main"}
	found, more, err := c.Grep(t.Context(), r, first, "PORT = 8", "")
	if err != nil || more || len(found) != 1 || found[0] != (Match{"api/main.go", 3, "const Port = 8080"}) {
		t.Errorf("%+v, %v, %v", found, more, err)
	}
	for folder, want := range map[string]int{"": 3, "api": 1, ":odd": 1, "none": 0} {
		if found, _, err := c.Grep(t.Context(), r, second, "port", folder); err != nil || len(found) != want {
			t.Errorf("%q: %+v, %v", folder, found, err)
		}
	}
	if found, _, err := c.Grep(t.Context(), r, second, "root:", ""); err != nil || len(found) != 0 {
		t.Errorf("through a link: %+v, %v", found, err)
	}
	if names, _, err := c.List(t.Context(), r, first, ""); err != nil ||
		!slices.Equal(names, []string{":odd", "README.md", "api/", "data.bin"}) {
		t.Errorf("%v, %v", names, err)
	}
	if names, _, err := c.List(t.Context(), r, first, "api"); err != nil || !slices.Equal(names, []string{"api/main.go"}) {
		t.Errorf("%v, %v", names, err)
	}
	for _, folder := range []string{"../x", "/etc", "api/../..", ".", "a\x00b"} {
		if _, _, err := c.List(t.Context(), r, first, folder); !fault.Is(err, fault.Invalid) {
			t.Errorf("list %q: %v", folder, err)
		}
		if _, _, err := c.Grep(t.Context(), r, first, "x", folder); !fault.Is(err, fault.Invalid) {
			t.Errorf("search %q: %v", folder, err)
		}
	}
	for _, text := range []string{"", "a\nb", "a\x00b"} {
		if _, _, err := c.Grep(t.Context(), r, first, text, ""); !fault.Is(err, fault.Invalid) {
			t.Errorf("search for %q: %v", text, err)
		}
	}
	patch, more, err := c.Diff(t.Context(), r, first, second, 64<<10)
	if err != nil || more || !strings.Contains(patch, "-const Port = 8080\n+const Port = 9090") {
		t.Errorf("%s, %v, %v", patch, more, err)
	}
	if patch, more, err := c.Diff(t.Context(), r, first, second, 120); err != nil || !more || len(patch) > 120 ||
		!strings.HasSuffix(patch, "\n") {
		t.Errorf("%q, %v, %v", patch, more, err)
	}
	if names, more, err := c.Changed(t.Context(), r, first, second, 64<<10); err != nil || more ||
		!slices.Equal(names, []string{"api/main.go"}) {
		t.Errorf("%v, %v, %v", names, more, err)
	}
	if names, more, err := c.Changed(t.Context(), r, first, second, 5); err != nil || !more || len(names) != 0 {
		t.Errorf("a name that is cut: %v, %v, %v", names, more, err)
	}
	git(t, s.dir, "tag", "-a", "v1", "-m", "Words\n\nof a tag", first)
	git(t, s.dir, "tag", "v2", first)
	for tag, want := range map[string]string{"v1": "Words\n\nof a tag", "v2": "link"} {
		if got, more, err := c.TagMessage(t.Context(), r, tag, 100); err != nil || more || strings.TrimSpace(got) != want {
			t.Errorf("%s: %q, %v, %v", tag, got, more, err)
		}
	}
	if got, more, err := c.TagMessage(t.Context(), r, "v1", 3); err != nil || !more || got != "Wor" {
		t.Errorf("%q, %v, %v", got, more, err)
	}
	for _, tag := range []string{"none", "-x", "a b", "a..b", ""} {
		if got, _, err := c.TagMessage(t.Context(), r, tag, 100); err == nil {
			t.Errorf("tag %q: %q", tag, got)
		}
	}
	if _, _, err := c.Diff(t.Context(), r, "HEAD", second, 100); !fault.Is(err, fault.Invalid) {
		t.Errorf("a commit that is no id: %v", err)
	}
	// The output of git is limited.
	s.commit(map[string]string{"long.txt": strings.Repeat("port "+strings.Repeat("x", 90)+"\n", 5000)})
	if found, more, err := c.Grep(t.Context(), r, git(t, s.dir, "rev-parse", "HEAD"), "port", ""); err != nil || !more ||
		len(found) < 100 || len(found) > 4000 {
		t.Errorf("%d, %v, %v", len(found), more, err)
	}
}
