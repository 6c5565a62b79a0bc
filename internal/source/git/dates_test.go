package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// commitAt commits files with a date.
func (s source) commitAt(when string, files map[string]string) {
	s.t.Helper()
	s.write(files)
	git(s.t, s.dir, "add", "-A")
	cmd := exec.Command("git", "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "-m", "change")
	cmd.Dir = s.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.dir, "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_DATE=" + when, "GIT_COMMITTER_DATE=" + when}
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("%v %s", err, out)
	}
}

func dated(t *testing.T) source {
	s := newSource(t, nil)
	s.commitAt("2025-01-01T00:00:00Z",
		map[string]string{"docs/a.mdx": "a", "docs/b c.mdx": "b", "docs/é.mdx": "e", "other.txt": "x"})
	s.commitAt("2025-02-02T00:00:00Z", map[string]string{"docs/a.mdx": "a2"})
	s.commitAt("2025-03-03T00:00:00Z", map[string]string{"other.txt": "y"})
	return s
}

func day(t *testing.T, text string) time.Time {
	t.Helper()
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestSnapshotReportsFileDates(t *testing.T) {
	s := dated(t)
	git(t, s.dir, "config", "uploadpack.allowFilter", "true")
	c := localCache(t)
	for range 2 { // the second continues from the first
		got, _ := snapshot(t, c, Remote{Local: true, URL: "file://" + s.dir, Folder: "docs"})
		want := map[string]string{"a.mdx": "2025-02-02", "b c.mdx": "2025-01-01", "é.mdx": "2025-01-01"}
		if len(got.Modified) != len(want) {
			t.Fatalf("%v", got.Modified)
		}
		for name, when := range want {
			if !got.Modified[name].Equal(day(t, when)) {
				t.Errorf("%s: %v, want %s", name, got.Modified[name], when)
			}
		}
	}
	// back to its old content, which no newer commit contains
	s.commitAt("2025-04-04T00:00:00Z", map[string]string{"docs/a.mdx": "a"})
	got, files := snapshot(t, c, Remote{Local: true, URL: "file://" + s.dir, Folder: "docs"})
	if files["a.mdx"] != "a" || !got.Modified["a.mdx"].Equal(day(t, "2025-04-04")) {
		t.Errorf("%q %v", files["a.mdx"], got.Modified)
	}
}

func TestFolderInRepositoryReportsFileDates(t *testing.T) {
	s := dated(t)
	got := LocalDates(t.Context(), "", filepath.Join(s.dir, "docs"))
	if !got["a.mdx"].Equal(day(t, "2025-02-02")) || !got["b c.mdx"].Equal(day(t, "2025-01-01")) || len(got) != 3 {
		t.Errorf("%v", got)
	}
	if got := LocalDates(t.Context(), "", t.TempDir()); got != nil {
		t.Errorf("%v without a repository", got)
	}
	shallow := filepath.Join(t.TempDir(), "shallow")
	git(t, filepath.Dir(shallow), "clone", "-q", "--depth=1", "file://"+s.dir, shallow)
	if got := LocalDates(t.Context(), "", filepath.Join(shallow, "docs")); len(got) != 0 {
		t.Errorf("%v where history ends", got)
	}
}

func FuzzParseDates(f *testing.F) {
	f.Add("\x011700000000 HEAD -> main\x00\na\x00b\x00\x011600000000 grafted\x00\nc\x00", "docs")
	f.Add("\x01x\x00\n\x00", "")
	f.Fuzz(func(t *testing.T, text, folder string) {
		dates, _ := parseDates(strings.NewReader(text), folder)
		for name, when := range dates {
			if name == "" || when.IsZero() || when.Year() > 9999 {
				t.Fatalf("%q %v", name, when)
			}
		}
	})
}
