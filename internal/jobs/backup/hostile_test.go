package backup

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// entry is a file in an archive written by a test.
type entry struct {
	head tar.Header
	body string
}

func file(name, body string) entry {
	return entry{tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o600, Size: int64(len(body))}, body}
}

func pack(t testing.TB, list ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	w := tar.NewWriter(zip)
	for _, e := range list {
		if err := w.WriteHeader(&e.head); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.body); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), zip.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// taken splits a valid backup into its parts.
func taken(t *testing.T, raw []byte) (head entry, files []entry, m Manifest) {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(zip)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return head, files, m
		}
		body, readErr := io.ReadAll(r)
		if err := errors.Join(err, readErr); err != nil {
			t.Fatal(err)
		}
		switch e := file(h.Name, string(body)); h.Name {
		case headName:
			head = e
		case manifestName:
			if err := json.Unmarshal(body, &m); err != nil {
				t.Fatal(err)
			}
		default:
			files = append(files, e)
		}
	}
}

// listed returns the manifest of the files, with correct digests.
func listed(t testing.TB, h Head, files []entry) entry {
	t.Helper()
	m := Manifest{Head: h}
	for _, e := range files {
		sum := sha256.Sum256([]byte(e.body))
		m.Files = append(m.Files, File{Path: e.head.Name, Size: int64(len(e.body)), SHA256: hex.EncodeToString(sum[:])})
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return file(manifestName, string(raw))
}

// A hostile archive changes nothing outside its folder and leaves nothing behind.
func TestHostileArchivesAreRefused(t *testing.T) {
	f := newFolder(t)
	head, files, m := taken(t, f.backup())
	with := func(more ...entry) []byte { // otherwise valid
		all := append(append([]entry{}, files...), more...)
		return pack(t, append(append([]entry{head}, all...), listed(t, m.Head, all))...)
	}
	special := func(name string, kind byte, link string) entry {
		return entry{tar.Header{Name: name, Typeflag: kind, Linkname: link, Mode: 0o777}, ""}
	}
	changed := func(change func(*Head)) []byte {
		h := m.Head
		change(&h)
		raw, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		return pack(t, append(append([]entry{file(headName, string(raw))}, files...), listed(t, h, files))...)
	}
	repo := repoFolder + "prj_x.git/"
	for name, c := range map[string]struct {
		raw  []byte
		code string
	}{
		"nothing":                {nil, "not_a_backup"},
		"not an archive":         {[]byte("hello"), "not_a_backup"},
		"another archive":        {pack(t, file("readme", "x")), "not_a_backup"},
		"a head alone":           {pack(t, head), "damaged_backup"},
		"no manifest":            {pack(t, append([]entry{head}, files...)...), "damaged_backup"},
		"a path above":           {with(file("blobs/../../evil", "x")), "damaged_backup"},
		"an absolute path":       {with(file("/etc/evil", "x")), "damaged_backup"},
		"a file of another name": {with(file("work/evil", "x")), "damaged_backup"},
		"a settings file":        {with(file("lectern.db-wal", "x")), "damaged_backup"},
		"a symbolic link":        {with(special("blobs/x", tar.TypeSymlink, "/etc/passwd")), "damaged_backup"},
		"a hard link":            {with(special("blobs/x", tar.TypeLink, "secret.key")), "damaged_backup"},
		"a device":               {with(special("blobs/x", tar.TypeChar, "")), "damaged_backup"},
		"a folder":               {with(special("blobs/x/", tar.TypeDir, "")), "damaged_backup"},
		"a hook":                 {with(file(repo+"hooks/post-receive", "#!/bin/sh")), "damaged_backup"},
		"objects elsewhere":      {with(file(repo+"objects/info/alternates", "/etc")), "damaged_backup"},
		"settings that run a program": {with(file(repo+"HEAD", "ref: refs/heads/main\n"),
			file(repo+"config", "[core]\n\tfsmonitor = /bin/evil\n")), "damaged_backup"},
		"a file twice": {with(files[1]), "damaged_backup"},
		"a file that is not listed": {pack(t, append(append([]entry{head},
			append(files, file("blobs/more", "x"))...), listed(t, m.Head, files))...), "damaged_backup"},
		"a listed file that is not there": {pack(t,
			append(append([]entry{head}, files[1:]...), listed(t, m.Head, files))...), "damaged_backup"},
		"another content": {pack(t,
			append(append([]entry{head}, append([]entry{file(files[0].head.Name, files[0].body+"x")}, files[1:]...)...),
				listed(t, m.Head, files))...), "damaged_backup"},
		"something after its end": {append(with(), pack(t, file("blobs/late", "x"))...), "damaged_backup"},
		"a newer format":          {changed(func(h *Head) { h.Format = Format + 1 }), "newer_backup"},
		"a newer schema": {changed(func(h *Head) { h.Schema = store.NewestSchema() + 1 }),
			"newer_schema"},
		"a different schema than stated": {changed(func(h *Head) { h.Schema = 1 }), "damaged_backup"},
		"no database": {pack(t,
			append(append([]entry{head}, files[1:]...), listed(t, m.Head, files[1:]))...), "damaged_backup"},
		"a missing manifest": {without(t, head, m.Head, files, "blobs/sites/prj_a/manifests/dep_1.json"),
			"damaged_backup"},
		"a missing bundle":  {without(t, head, m.Head, files, "blobs/exports/se_1/site.zip"), "damaged_backup"},
		"a missing pack":    {without(t, head, m.Head, files, "blobs/sites/prj_a/packs/dep_1"), "damaged_backup"},
		"a broken database": {replaced(t, head, m.Head, files, databaseName, "SQLite format 3\x00 or not"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := restore(t, c.raw)
			if found, _ := fault.As(err); err == nil || c.code != "" && (found == nil || found.Code != c.code) {
				t.Errorf("restore: %v, want %s", err, c.code)
			}
			wantNothing(t, data)
			_, err = Check(t.Context(), bytes.NewReader(c.raw), time.Now, nil)
			if found, _ := fault.As(err); err == nil || c.code != "" && (found == nil || found.Code != c.code) {
				t.Errorf("check: %v, want %s", err, c.code)
			}
		})
	}
}

func without(t *testing.T, head entry, h Head, files []entry, name string) []byte {
	t.Helper()
	var rest []entry
	for _, e := range files {
		if e.head.Name != name {
			rest = append(rest, e)
		}
	}
	if len(rest) == len(files) {
		t.Fatal("the file to remove is not in the backup")
	}
	return pack(t, append(append([]entry{head}, rest...), listed(t, h, rest))...)
}

func replaced(t *testing.T, head entry, h Head, files []entry, name, body string) []byte {
	t.Helper()
	var all []entry
	for _, e := range files {
		if e.head.Name == name {
			e = file(name, body)
		}
		all = append(all, e)
	}
	return pack(t, append(append([]entry{head}, all...), listed(t, h, all))...)
}

// A truncated backup, or one with a flipped bit, is refused. Only bits of the compression may flip without harm:
// nothing reads the time in a gzip header, and a run of equal bytes may be copied from any distance. In exactly these
// cases the archive inside is identical.
func TestDamagedBackupIsRefused(t *testing.T) {
	f := newFolder(t)
	raw := f.backup()
	inside, err := unzip(raw)
	if err != nil {
		t.Fatal(err)
	}
	step, refused := max(1, len(raw)/60), 0
	for n := 0; n < len(raw); n += step {
		data, err := restore(t, raw[:n])
		if err == nil {
			t.Errorf("the first %d of %d bytes were restored", n, len(raw))
		}
		wantNothing(t, data)
		flipped := bytes.Clone(raw)
		flipped[n] ^= 0x10
		if data, err = restore(t, flipped); err != nil {
			wantNothing(t, data)
			refused++
		} else if same, err := unzip(flipped); err != nil || !bytes.Equal(same, inside) {
			t.Errorf("a flipped bit at %d was not detected", n)
		}
	}
	if refused < 30 {
		t.Errorf("of 60 backups with a flipped bit only %d were refused", refused)
	}
}

func unzip(raw []byte) ([]byte, error) {
	zip, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(zip)
}

// A flipped bit in an archived file is caught by the digest in the manifest, even if the archive was compressed again
// so that gzip detects nothing.
func TestDamageInsideArchiveIsRefused(t *testing.T) {
	inside, err := unzip(newFolder(t).backup())
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(inside, []byte("pack of dep_1"))
	if at < 0 {
		t.Fatal("no pack")
	}
	inside[at] ^= 0x10
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	if _, err := zip.Write(inside); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := restore(t, out.Bytes())
	if !fault.HasCode(err, "damaged_backup") {
		t.Errorf("error %v", err)
	}
	wantNothing(t, data)
}

// An archive of zeros that would fill the disk is refused before the disk is full.
func TestFileLargerThanTheDiskIsRefused(t *testing.T) {
	f := newFolder(t)
	head, _, _ := taken(t, f.backup())
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	w := tar.NewWriter(zip)
	for _, h := range []tar.Header{head.head, {Name: "blobs/zeros", Typeflag: tar.TypeReg, Size: 1 << 60}} {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Name == headName {
			if _, err := io.WriteString(w, head.body); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := w.Write(make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := restore(t, out.Bytes())
	if !fault.HasCode(err, "backup_too_large") {
		t.Errorf("error %v", err)
	}
	wantNothing(t, data)
}

func FuzzParseManifest(f *testing.F) {
	f.Add([]byte(`{"format":1,"schema":1,"files":[{"path":"lectern.db","size":1,"sha256":"` + strings.Repeat("0", 64) +
		`"}]}`))
	f.Add([]byte(`{"files":[{"path":"blobs/../x","size":-1}]}`))
	f.Add([]byte(`{} {}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = ParseHead(data)
		m, err := ParseManifest(data)
		if err != nil {
			return
		}
		for _, file := range m.Files {
			if !filepath.IsLocal(file.Path) ||
				strings.Contains(file.Path, "..") && !strings.HasPrefix(file.Path, blobFolder) || file.Size < 0 {
				t.Errorf("accepted %+v", file)
			}
		}
	})
}

func FuzzRead(f *testing.F) {
	head := file(headName, `{"format":1,"schema":1,"madeAt":"2026-01-01T00:00:00Z"}`)
	db := file(databaseName, "x")
	h, err := ParseHead([]byte(head.body))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(pack(f, head, db, listed(f, h, []entry{db})))
	f.Add(pack(f, head))
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := os.OpenRoot(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = root.Close() }()
		_, _ = read(t.Context(), bytes.NewReader(data), 1<<20, nil,
			func(name string, _ int64, content io.Reader) error { return unpack(root, name, content) })
	})
}
