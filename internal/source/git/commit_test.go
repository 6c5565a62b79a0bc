package git

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSnapshotReportsCommitMessageAndChanges(t *testing.T) {
	s := newSource(t, nil)
	git(t, s.dir, "config", "uploadpack.allowFilter", "true")
	c, remote := localCache(t), Remote{Local: true, URL: "file://" + s.dir, Folder: "docs"}
	s.commit(map[string]string{"docs/a.mdx": "a", "docs/b c.mdx": "b", "docs-other/x.mdx": "x"})
	got, _ := snapshot(t, c, remote)
	if got.Change.Author != "A" || fmt.Sprint(got.Change.Compared, got.Change.Added) != "true [a.mdx b c.mdx]" {
		t.Errorf("the first commit: %+v", got.Change)
	}
	s.write(map[string]string{"docs/a.mdx": "a2", "docs/é.mdx": "e", "other.txt": "y"})
	if err := os.Remove(filepath.Join(s.dir, "docs", "b c.mdx")); err != nil {
		t.Fatal(err)
	}
	git(t, s.dir, "add", "-A")
	git(t, s.dir, "commit", "-q", "-m", "Fix the start\n\nIt was wrong.")
	got, _ = snapshot(t, c, remote)
	d := got.Change
	if d.Author != "A" || d.Message != "Fix the start\n\nIt was wrong." || !d.Compared || d.Truncated ||
		fmt.Sprint(d.Added, d.Modified, d.Removed) != "[é.mdx] [a.mdx] [b c.mdx]" {
		t.Errorf("the second commit: %+v", d)
	}
	git(t, s.dir, "checkout", "-q", "-b", "side")
	s.commit(map[string]string{"docs/side.mdx": "s"})
	git(t, s.dir, "checkout", "-q", "main")
	s.commit(map[string]string{"docs/main.mdx": "m"})
	git(t, s.dir, "merge", "-q", "--no-ff", "-m", "Merge", "side")
	got, _ = snapshot(t, c, remote)
	if fmt.Sprint(got.Change.Added, got.Change.Modified) != "[side.mdx] []" {
		t.Errorf("a merge brings what the branch changed: %+v", got.Change)
	}
	s.commit(map[string]string{"other.txt": "z"})
	got, _ = snapshot(t, c, remote)
	if !got.Change.Compared || fmt.Sprint(got.Change.Added, got.Change.Modified, got.Change.Removed) != "[] [] []" {
		t.Errorf("a commit elsewhere: %+v", got.Change)
	}
}

func TestCommitDetailsAreBounded(t *testing.T) {
	files := map[string]string{}
	for i := range changedFiles + 1 {
		files[fmt.Sprintf("p%d.mdx", i)] = "x"
	}
	s := newSource(t, nil)
	git(t, s.dir, "config", "uploadpack.allowFilter", "true")
	s.write(files)
	git(t, s.dir, "add", "-A")
	gitInput(t, s.dir, strings.Repeat("é", messageBytes), "commit", "-q", "-F", "-")
	got, _ := snapshot(t, localCache(t), Remote{Local: true, URL: "file://" + s.dir})
	if c := got.Change; len(c.Added) != changedFiles || !c.Truncated || len(c.Message) != messageBytes {
		t.Errorf("%d files, truncated %v, %d bytes", len(c.Added), c.Truncated, len(c.Message))
	}
}
