package bundlestore

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/bundlecheck"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/output"
)

func TestBundleIsVerifiedStoredAndActivated(t *testing.T) {
	v := volume(t)
	r := receive(t, v, bundleOf(t, "v1"))
	if r.Version != "v1" || r.Files != 7 || r.Name() != "v1" {
		t.Errorf("record %+v", r)
	}
	if got := served(t, v); got != "v1" {
		t.Errorf("serves %q", got)
	}
	open, err := v.OpenVersion(r.Digest)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = open.Close() }()
	if f, ok, err := open.Lookup("index.html"); err != nil || !ok || f.Packed == 0 || f.Packed >= f.Size {
		t.Errorf("index.html: %+v %v %v", f, ok, err)
	}
	if f, _, _ := open.Lookup("picture.png"); f.Packed != 0 {
		t.Error("a picture was compressed")
	}
	if _, ok, err := open.Lookup("nothing"); ok || err != nil {
		t.Errorf("missing path: %v %v", ok, err)
	}
}

func TestUnchangedSourceIsNotDownloadedAgain(t *testing.T) {
	v, src := volume(t), given(t, bundleOf(t, "v1"))
	for i, unchanged := range []bool{false, true} {
		out, err := v.Receive(t.Context(), src, Expect{})
		if err != nil || out.Unchanged != unchanged || out.Record.Version != "v1" {
			t.Errorf("fetch %d: %+v, %v", i, out, err)
		}
	}
	if _, err := v.Receive(t.Context(), src, Expect{Version: "v2"}); !fault.HasCode(err, CodeRefused) {
		t.Errorf("an unchanged bundle that is not the pinned version: %v", err)
	}
}

// B11, B13, H10: whatever is wrong with a bundle, nothing of it is stored and the old one is still served.
func TestBadBundleIsRefusedAndOldOneKept(t *testing.T) {
	good := siteOf("v2")
	file := func(name string) *tar.Header {
		return &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: 1, Mode: 0o644}
	}
	hostile := func(list ...*tar.Header) []byte {
		return tarOf(t, list, tree{list[0].Name: "x", list[len(list)-1].Name: "x"})
	}
	altered, extra, without := good.sealed("v2"), good.sealed("v2"), good.sealed("v2")
	altered["index.html"] = strings.Replace(altered["index.html"], "words", "wards", 1)
	extra["more.html"] = "x"
	delete(without, "a/b.html")
	whole := bundleOf(t, "v2")
	for name, c := range map[string]struct {
		data []byte
		want Expect
		text string
	}{
		"absolute": {hostile(file("/etc/x")), Expect{}, "absolute path"},
		"parent":   {hostile(file("../../x")), Expect{}, "points outside"},
		"symbolic link": {hostile(&tar.Header{Typeflag: tar.TypeSymlink, Name: "a", Linkname: "/etc"}, file("a/x")),
			Expect{}, "symbolic link"},
		"hard link": {hostile(&tar.Header{Typeflag: tar.TypeLink, Name: "a", Linkname: "/etc/passwd"}), Expect{},
			"hard link"},
		"device":         {hostile(&tar.Header{Typeflag: tar.TypeChar, Name: "a"}), Expect{}, "device"},
		"twice":          {hostile(file("a"), file("a")), Expect{}, "twice"},
		"letter case":    {hostile(file("a"), file("A")), Expect{}, "letter case"},
		"file as folder": {hostile(file("a"), file("a/b")), Expect{}, "needs a folder"},
		"zip slip":       {zipOf(t, "../x"), Expect{}, "points outside"},
		"cut off":        {whole[:len(whole)/2], Expect{}, "truncated"},
		"no archive":     {[]byte("<html>login</html>"), Expect{}, "neither a tar.gz nor a zip"},
		"no manifest":    {good.tarGz(t), Expect{}, "no manifest.json"},
		"altered file":   {altered.tarGz(t), Expect{}, "SHA-256 differs"},
		"unlisted file":  {extra.tarGz(t), Expect{}, "does not list"},
		"missing file":   {without.tarGz(t), Expect{}, "missing"},
		"other version":  {whole, Expect{Version: "v3"}, `it has the version "v2", but "v3" is required`},
		"other digest":   {whole, Expect{SHA256: strings.Repeat("0", 64)}, "SHA-256"},
		"not signed":     {whole, Expect{PublicKey: make(ed25519.PublicKey, 32)}, "not signed"},
		"large archive":  {whole, Expect{MaxBytes: 100}, "larger than 100 bytes"},
		"too many entries": {whole, Expect{Limits: bundlecheck.Limits{Entries: 3, Bytes: 1 << 20, FileBytes: 1 << 20,
			Ratio: 200, Slack: 1 << 20}}, "more than 3 entries"},
	} {
		t.Run(name, func(t *testing.T) {
			v := volume(t)
			receive(t, v, bundleOf(t, "v1"))
			_, err := v.Receive(t.Context(), given(t, c.data), c.want)
			if f, ok := fault.As(err); !ok || f.Code != CodeRefused || !strings.Contains(f.Public, c.text) {
				t.Errorf("refused with %v, want %q", err, c.text)
			}
			if left := leftovers(t, v); left != "" {
				t.Errorf("left behind: %s", left)
			}
			if got := served(t, v); got != "v1" {
				t.Errorf("serves %q", got)
			}
		})
	}
}

func zipOf(t *testing.T, name string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	out, err := w.Create(name)
	if err == nil {
		_, err = out.Write([]byte("x"))
	}
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// leftovers lists unfinished files and all versions except the first.
func leftovers(t *testing.T, v *Volume) string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(v.path(incomingName), func(name string, d fs.DirEntry, err error) error {
		if name != v.path(incomingName) {
			out = append(out, name)
		}
		return err
	})
	list, listErr := os.ReadDir(v.path(versionsName))
	if err != nil || listErr != nil || len(list) != 1 {
		t.Fatal(err, listErr, list)
	}
	return strings.Join(out, ", ")
}

func TestSignedBundleIsAcceptedOnlyWithItsKey(t *testing.T) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	other, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	site := siteOf("v1").sealed("v1")
	site[output.SignaturePath] = base64.StdEncoding.EncodeToString(ed25519.Sign(private,
		[]byte(site[output.ManifestPath]))) + "\n"
	data := site.tarGz(t)
	sum := sha256.Sum256(data)
	v := volume(t)
	if _, err := v.Receive(t.Context(), given(t, data), Expect{PublicKey: other}); !fault.HasCode(err, CodeRefused) {
		t.Errorf("with another key: %v", err)
	}
	out, err := v.Receive(t.Context(), given(t, data),
		Expect{PublicKey: public, SHA256: hex.EncodeToString(sum[:]), Version: "v1"})
	if err != nil || !out.Activated {
		t.Errorf("with its key: %+v, %v", out, err)
	}
	if _, err := v.Receive(t.Context(), given(t, data), Expect{PublicKey: other}); !fault.HasCode(err, CodeRefused) {
		t.Errorf("a stored version with another key: %v", err)
	}
}

func TestRollbackKeepsNewerVersionsInactive(t *testing.T) {
	v := volume(t)
	var names []string
	for _, version := range []string{"v1", "v2", "v3"} {
		names = append(names, receive(t, v, bundleOf(t, version)).Digest)
	}
	back := func(name, want string) {
		t.Helper()
		if r, err := v.Rollback(name); err != nil || r.Version != want || served(t, v) != want {
			t.Fatalf("rollback %q: %+v, %v", name, r, err)
		}
	}
	back("", "v2")
	if out, err := v.Receive(t.Context(), given(t, bundleOf(t, "v3")), Expect{}); err != nil || !out.Held ||
		out.Activated || served(t, v) != "v2" {
		t.Errorf("the rolled-back bundle: %+v, %v", out, err)
	}
	back("", "v1")
	if _, err := v.Rollback(""); !fault.Is(err, fault.NotFound) {
		t.Errorf("rollback from the oldest: %v", err)
	}
	back(names[2][:12], "v3")
	back("v1", "v1")
	receive(t, v, bundleOf(t, "v4"))
	if _, err := v.Rollback("nothing"); !fault.Is(err, fault.NotFound) {
		t.Errorf("rollback to an unknown version: %v", err)
	}
	if gone, err := v.Prune(2, ""); err != nil || len(gone) != 2 || served(t, v) != "v4" {
		t.Errorf("prune: %+v, %v", gone, err)
	}
}

func TestDamagedVersionFallsBackToPreviousOne(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, dir string) error{
		"a file is cut": func(_ *testing.T, dir string) error {
			return os.Truncate(filepath.Join(dir, "files", "index.html"), 10)
		},
		"a file is gone": func(_ *testing.T, dir string) error {
			return os.Remove(filepath.Join(dir, "files", "a", "b.md"))
		},
		"a compressed is gone": func(_ *testing.T, dir string) error {
			return os.Remove(filepath.Join(dir, "gzip", "index.html"))
		},
		"the table is other": func(_ *testing.T, dir string) error {
			return os.WriteFile(filepath.Join(dir, "table"), []byte(tableMagic), 0o644)
		},
		"the record is empty": func(_ *testing.T, dir string) error {
			return os.Truncate(filepath.Join(dir, "record"), 0)
		},
		"the manifest is cut": func(_ *testing.T, dir string) error {
			return os.Truncate(filepath.Join(dir, "files", "manifest.json"), 50)
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := volume(t)
			receive(t, v, bundleOf(t, "v1"))
			data := bundleOf(t, "v2")
			r := receive(t, v, data)
			if err := damage(t, v.path(versionsName, r.Digest)); err != nil {
				t.Fatal(err)
			}
			got, err := v.Recover(context.Background(), false, Expect{})
			if err != nil || got.Version == nil || got.Version.Record.Version != "v1" || len(got.Damaged) == 0 {
				t.Fatalf("recovered %+v, %v", got, err)
			}
			_ = got.Version.Close()
			receive(t, v, data) // the bundle can be received again
			if got := served(t, v); got != "v2" {
				t.Errorf("serves %q", got)
			}
		})
	}
}

func TestFullCheckDetectsSameSizeChanges(t *testing.T) {
	v := volume(t)
	receive(t, v, bundleOf(t, "v1"))
	r := receive(t, v, bundleOf(t, "v2"))
	name := v.path(versionsName, r.Digest, "files", "a", "b.html")
	if err := os.WriteFile(name, []byte("<p>b of vX</p>"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := served(t, v); got != "v1" {
		t.Errorf("serves %q", got)
	}
}
