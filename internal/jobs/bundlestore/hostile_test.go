package bundlestore

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/build/bundlecheck"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// tight returns limits that a small hostile archive can reach.
func tight() bundlecheck.Limits {
	return bundlecheck.Limits{Entries: 50, Bytes: 1 << 20, FileBytes: 1 << 19, Ratio: 20, Slack: 1 << 16}
}

// B11: hostile archives are refused as a whole; nothing is written outside the folder, nothing from them stays in it,
// and the old version is still served.
func TestHostileArchivesLeaveNothingBehind(t *testing.T) {
	for name, c := range hostile(t) {
		t.Run(name, func(t *testing.T) {
			outside := t.TempDir()
			dir := filepath.Join(outside, "deep", "volume")
			v, err := Open(dir, steps())
			if err != nil {
				t.Fatal(err)
			}
			receive(t, v, bundleOf(t, "v1"))
			src := store(t, filepath.Join(outside, "hostile"), c.data)
			before := listed(t, outside)
			_, err = v.Receive(t.Context(), src, Expect{Limits: tight()})
			if f, ok := fault.As(err); !ok || f.Code != CodeRefused || !strings.Contains(f.Public, c.text) {
				t.Errorf("refused with %v, want %q", err, c.text)
			}
			if after := listed(t, outside); !slices.Equal(before, after) {
				t.Errorf("the surrounding files are now %q, were %q", after, before)
			}
			if got := served(t, v); got != "v1" {
				t.Errorf("serves %q", got)
			}
		})
	}
}

// listed returns every file below a folder, with its size.
func listed(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && !d.IsDir() {
			name = fmt.Sprint(name, " ", info.Size(), " ", info.Mode())
		}
		out = append(out, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// An archive inside a bundle is a file like any other: it is stored unchanged and not unpacked.
func TestArchiveInsideABundleIsNotUnpacked(t *testing.T) {
	inner := tarOf(t, []*tar.Header{{Typeflag: tar.TypeReg, Name: "../../x", Size: 1}}, tree{"../../x": "x"})
	site := siteOf("v1")
	site["downloads/samples.tar.gz"] = string(inner)
	v := volume(t)
	r := receive(t, v, site.sealed("v1").tarGz(t))
	data, err := os.ReadFile(v.path(versionsName, r.Digest, filesName, "downloads", "samples.tar.gz"))
	if err != nil || !bytes.Equal(data, inner) {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

// B11: the volume's path may be a link, which is common where folders are mounted. A link instead of a file on the
// volume counts as damage.
func TestLinksOnTheVolumeAreNotFollowed(t *testing.T) {
	outside := t.TempDir()
	real := filepath.Join(outside, "real")
	if err := os.Mkdir(real, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, filepath.Join(outside, "link")); err != nil {
		t.Fatal(err)
	}
	v, err := Open(filepath.Join(outside, "link"), steps())
	if err != nil {
		t.Fatal(err)
	}
	receive(t, v, bundleOf(t, "v1"))
	r := receive(t, v, bundleOf(t, "v2"))
	secret := filepath.Join(outside, "secret")
	page := v.path(versionsName, r.Digest, filesName, "index.html")
	content, err := os.ReadFile(page)
	if err == nil {
		err = os.WriteFile(secret, content, 0o600) // same size and content as the verified file
	}
	if err == nil {
		err = os.Remove(page)
	}
	open, openErr := v.OpenVersion(r.Digest)
	if err != nil || openErr != nil {
		t.Fatal(err, openErr)
	}
	defer func() { _ = open.Close() }()
	if err := os.Symlink(secret, page); err != nil {
		t.Fatal(err)
	}
	f, ok, err := open.Lookup("index.html")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if in, err := open.Open("index.html", f, false); err == nil {
		_ = in.Close()
		t.Error("a link that leads out of the version was followed")
	}
	if got := served(t, v); got != "v1" {
		t.Errorf("serves %q", got)
	}
}

// Temporary files left half-written by a killed process are removed once they are too old to be in use.
func TestOldTemporaryFilesAreRemoved(t *testing.T) {
	v := volume(t)
	old, fresh := v.path(".current-1"), v.path(".source-2")
	for _, name := range []string{old, fresh} {
		if err := os.WriteFile(name, []byte("{"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	now := v.now()
	if err := os.Chtimes(old, now.Add(-2*time.Hour), now.Add(-2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(fresh, now, now); err != nil {
		t.Fatal(err)
	}
	unlock, err := v.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if _, err := os.Stat(old); err == nil {
		t.Error("an old temporary file was not removed")
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Error("a temporary file that may be in use was removed")
	}
}
