//go:build nightly

package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/docs"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
)

// machine describes where and how an export is built.
type machine struct {
	name  string
	dir   string // docs folder
	at    string // working folder
	zone  string
	procs string
	lang  string
	cache []string // flags
	zip   bool     // compare a zip archive, too
}

// export runs the program in a separate process and returns the archive's digest.
func (m machine) export(t *testing.T, format string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "site."+format)
	cmd := exec.Command(binary, append([]string{"export", m.dir, "--out", out, "--label", "v1", "--base-url",
		"https://docs.example.com"}, m.cache...)...)
	cmd.Dir = m.at
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir(), "TZ=" + m.zone,
		"GOMAXPROCS=" + m.procs, "LANG=" + m.lang, "LC_ALL=" + m.lang}
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s, %s: %v\n%s", m.name, format, err, said)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// reproducibleSite returns our own docs plus a page whose code reads the time and language, in a repository with a
// history.
func reproducibleSite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, docs.Site); err != nil {
		t.Fatal(err)
	}
	testgit.Run(t, dir, "init", "-q")
	commit(t, dir, "first")
	write(t, dir+"/moment.mdx",
		"---\ntitle: Moment\n---\n\n{new Date(0).toString()} {new Date(86400000).toLocaleString()} {new Date(0).getHours()} {(1234.5).toLocaleString()} {['b','ä','a'].sort().join('')}\n")
	commit(t, dir, "second")
	return dir
}

// B6: one commit is cloned into two folders and exported by separate processes in different time zones, languages and
// working folders, on one and on sixteen processors, without a cache and with a cold, a warm and a shared one. The
// archives have the same bytes.
func TestSameCommitGivesSameArchiveAnywhere(t *testing.T) {
	t.Parallel()
	first := reproducibleSite(t)
	second := filepath.Join(t.TempDir(), "another folder", "with", "ä longer name")
	testgit.Run(t, t.TempDir(), "clone", "-q", first, second)
	years := time.Date(1999, 12, 31, 23, 59, 59, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(second, "docs.json"), years, years); err != nil {
		t.Fatal(err)
	}
	for _, zone := range []string{"Pacific/Kiritimati", "America/St_Johns"} {
		if _, err := time.LoadLocation(zone); err != nil {
			t.Fatalf("this machine has no time zones, so the test would be meaningless: %v", err)
		}
	}
	cache := []string{"--cache", filepath.Join(t.TempDir(), "cache")}
	machines := []machine{
		{"plain", first, "/", "UTC", "1", "C", []string{"--no-cache"}, true},
		{"other folder, zone and processors", second, t.TempDir(), "Pacific/Kiritimati", "16", "tr_TR.UTF-8",
			[]string{"--no-cache"}, true},
		{"cold cache", second, second, "America/St_Johns", "16", "C.UTF-8", cache, false},
		{"warm cache", first, first, "Asia/Kathmandu", "1", "de_DE.UTF-8", cache, false},
	}
	machines[3].dir = "." // the same folder under another name
	want := map[string]string{}
	for _, m := range machines {
		formats := []string{"tar.gz"}
		if m.zip {
			formats = append(formats, "zip") // built from the same pages, so two machines are enough
		}
		for _, format := range formats {
			got := m.export(t, format)
			if want[format] == "" {
				want[format] = got
			}
			if got != want[format] {
				t.Errorf("%s: a different %s", m.name, format)
			}
		}
	}
	compareAtOnce(t, first, second, want["tar.gz"])
	// The digests depend on the content: a different commit gives a different archive.
	write(t, first+"/moment.mdx", "---\ntitle: Moment\n---\n\nOther.\n")
	commit(t, first, "second")
	if machines[3].export(t, "tar.gz") == want["tar.gz"] {
		t.Error("a changed page does not change the archive")
	}
}

// compareAtOnce exports two clones of a commit at the same time with a shared cache.
func compareAtOnce(t *testing.T, first, second, want string) {
	shared := []string{"--cache", filepath.Join(t.TempDir(), "cache")}
	t.Run("two at once", func(t *testing.T) {
		for i, dir := range []string{first, second} {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				m := machine{"at once", dir, "/", "UTC", fmt.Sprint(1 + 15*i), "C", shared, false}
				if got := m.export(t, "tar.gz"); got != want {
					t.Error("two processes that share a cache create a different archive")
				}
			})
		}
	})
}
