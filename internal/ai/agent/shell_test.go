package agent

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/site/draft"
)

func TestShellChangesToCopyAreDetected(t *testing.T) {
	base := draft.New(fstest.MapFS{"a.mdx": {Data: []byte("a")}, "b.mdx": {Data: []byte("b")},
		"c.mdx": {Data: []byte("c")}})
	removed := 0
	folder := func() (string, func() error, error) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		return dir, func() error { removed++; return os.RemoveAll(dir) }, err
	}
	shell := NewShell(folder, func(_ context.Context, dir, line string) (string, error) {
		if line == "fail" {
			return "", errors.New("no sandbox")
		}
		return "done " + line, errors.Join(os.WriteFile(filepath.Join(dir, "a.mdx"), []byte("new"), 0o600),
			os.Remove(filepath.Join(dir, "b.mdx")),
			os.Symlink("/etc/passwd", filepath.Join(dir, "d.mdx")))
	})
	out, changes, err := shell(t.Context(), "it", base)
	if err != nil || out != "done it" || len(changes) != 2 || changes[0].Path != "a.mdx" ||
		string(changes[0].After) != "new" || changes[1].Path != "b.mdx" || changes[1].After != nil {
		t.Errorf("%q, %+v, %v", out, changes, err)
	}
	if b, err := base.ReadFile("a.mdx"); err != nil || string(b) != "a" {
		t.Errorf("the draft itself changed: %q, %v", b, err)
	}
	if _, _, err := shell(t.Context(), "fail", base); err == nil || removed != 2 {
		t.Errorf("%v, %d folders removed", err, removed)
	}
}
