package bundlecheck

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

// walk reads everything and returns the names.
func walk(src Source, limits Limits) (names []string, err error) {
	err = Walk(context.Background(), src, limits, func(f File) error {
		names = append(names, f.Path)
		n, err := io.Copy(io.Discard, f.Body)
		if err == nil && n != f.Size {
			err = fmt.Errorf("%s has %d bytes, not %d", f.Path, n, f.Size)
		}
		return err
	})
	return names, err
}

func refusal(err error) string {
	var r *Refusal
	if !errors.As(err, &r) {
		return fmt.Sprint(err)
	}
	return [...]string{"unsafe", "too much", "damaged"}[r.Reason] + " " + r.Error()
}

// B11: the reader returns no entry that could harm an extractor.
func TestUnsafeTarEntriesAreRefused(t *testing.T) {
	file := func(name string) *tar.Header { return &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: 1} }
	of := func(list ...*tar.Header) []byte { return tarOf(t, list, func(string) string { return "x" }) }
	link := func(kind byte) *tar.Header { return &tar.Header{Typeflag: kind, Name: "a", Linkname: "/etc/passwd"} }
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"absolute":          {of(file("/a")), `unsafe "/a": The name is an absolute path.`},
		"parent":            {of(file("a/../../b")), `unsafe "a/../../b": The name points outside its folder.`},
		"parent alone":      {of(file("..")), `unsafe "..": The name points outside its folder.`},
		"backslash":         {of(file(`a\b`)), `unsafe "a\\b": The name contains a backslash.`},
		"path on a drive":   {of(file("c:d.html")), `unsafe "c:d.html": The name cannot be used on every system.`},
		"drive":             {of(file("c:/a")), `unsafe "c:/a": The name cannot be used on every system.`},
		"control character": {of(file("a\nb")), `unsafe "a\nb": The name cannot be used on every system.`},
		"empty piece":       {of(file("a//b")), `unsafe "a//b": The name cannot be used on every system.`},
		"symbolic link":     {of(link(tar.TypeSymlink)), `unsafe "a": The entry is a symbolic link.`},
		"hard link":         {of(link(tar.TypeLink)), `unsafe "a": The entry is a hard link.`},
		"device": {of(&tar.Header{Typeflag: tar.TypeBlock, Name: "a"}),
			`unsafe "a": The entry is a device or a pipe.`},
		"pipe": {of(&tar.Header{Typeflag: tar.TypeFifo, Name: "a"}),
			`unsafe "a": The entry is a device or a pipe.`},
		"duplicate": {of(file("a"), file("a")),
			`unsafe "a": The name appears in the bundle twice, or differs from another only in letter case.`},
		"letter case": {of(file("É/a"), file("é/A")),
			`unsafe "é/A": The name appears in the bundle twice, or differs from another only in letter case.`},
		"file as folder": {of(file("a"), file("A/b")),
			`unsafe "A/b": There is a file where the name needs a folder.`},
		"folder as file": {of(file("a/b"), file("A")),
			`unsafe "A": The name appears in the bundle twice, or differs from another only in letter case.`},
		"global header": {of(&tar.Header{Typeflag: tar.TypeXGlobalHeader, Name: "a",
			PAXRecords: map[string]string{"comment": "x"}}), `unsafe "a": The entry is neither a file nor a folder.`},
		"no archive":         {[]byte("hello"), "damaged This is neither a tar.gz nor a zip archive."},
		"nothing":            {nil, "damaged This is neither a tar.gz nor a zip archive."},
		"more after the end": {append(of(file("a")), of(file("b"))...), "damaged The archive has data after its end."},
		"rubbish at the end": {append(of(file("a")), "rubbish-rubbish"...),
			"damaged The archive is damaged: gzip: invalid header."},
	} {
		if names, err := walk(archive(c.data), Standard()); refusal(err) != c.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", name, names, refusal(err), c.want)
		}
	}
}

func TestDotSlashAndFolderEntriesAreAccepted(t *testing.T) {
	list := []*tar.Header{{Typeflag: tar.TypeDir, Name: "./"}, {Typeflag: tar.TypeDir, Name: "./a/"},
		{Typeflag: tar.TypeReg, Name: "./a/b", Size: 1}}
	if names, err := walk(archive(tarOf(t, list, func(string) string { return "x" })), Standard()); err != nil ||
		fmt.Sprint(names) != "[a/b]" {
		t.Errorf("%v %v", names, err)
	}
	zipped := zipOf(t, []*zip.FileHeader{{Name: "a/"}, {Name: "a/b"}}, func(string) string { return "x" })
	if names, err := walk(archive(zipped), Standard()); err != nil || fmt.Sprint(names) != "[a/b]" {
		t.Errorf("%v %v", names, err)
	}
}

// B11: the same for zip, whose list at the end may contradict the entries.
func TestUnsafeZipEntriesAreRefused(t *testing.T) {
	of := func(list ...*zip.FileHeader) []byte {
		return zipOf(t, list, func(string) string { return "xxxxxxxxxx" })
	}
	mode := func(m fs.FileMode) *zip.FileHeader {
		h := &zip.FileHeader{Name: "a"}
		h.SetMode(m)
		return h
	}
	good := of(&zip.FileHeader{Name: "a"}, &zip.FileHeader{Name: "b"})
	end := len(good) - endSize
	list := int(binary.LittleEndian.Uint32(good[end+16:]))
	second := list + centralSize + 1 + int(binary.LittleEndian.Uint16(good[list+30:]))
	patched := func(at int, to ...byte) []byte {
		out := bytes.Clone(good)
		copy(out[at:], to)
		return out
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"absolute": {of(&zip.FileHeader{Name: "/a"}), `unsafe "/a": The name is an absolute path.`},
		"parent": {of(&zip.FileHeader{Name: "../a"}),
			`unsafe "../a": The name points outside its folder.`},
		"NUL": {of(&zip.FileHeader{Name: "a\x00b"}),
			`unsafe "a\x00b": The name contains a NUL character.`},
		"letter case": {of(&zip.FileHeader{Name: "a"}, &zip.FileHeader{Name: "A"}),
			`unsafe "A": The name appears in the bundle twice, or differs from another only in letter case.`},
		"symbolic link": {of(mode(0o777 | fs.ModeSymlink)), `unsafe "a": The entry is a symbolic link.`},
		"device":        {of(mode(fs.ModeDevice)), `unsafe "a": The entry is neither a file nor a folder.`},
		"encrypted":     {patched(list+8, 9), `unsafe "a": The entry is encrypted.`},
		"unknown method": {patched(list+10, 12),
			`damaged "a": The entry's compression method is not supported.`},
		"another name inside": {patched(localSize, 'c'),
			`damaged "a": The entry does not match the archive's central directory.`},
		"overlap":                {patched(second+42, 0), `unsafe "b": The entries overlap or are out of order.`},
		"wrong check sum":        {patched(list+16, good[list+16]+1), `damaged "a": The file's checksum is wrong.`},
		"larger than it says":    {patched(list+24, 3), `damaged "a": The file is larger than its entry says.`},
		"smaller than it says":   {patched(list+24, 30), `damaged "a": The file's checksum is wrong.`},
		"larger than the rest":   {patched(list+20, 255, 255), `damaged "a": The entry is larger than the archive.`},
		"list elsewhere":         {patched(end+16, 0), "damaged The archive's central directory is damaged."},
		"list of something else": {patched(list, 'x'), "damaged The archive's central directory is damaged."},
		"cut off":                {good[:end], "damaged The archive is truncated."},
	} {
		if names, err := walk(archive(c.data), Standard()); refusal(err) != c.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", name, names, refusal(err), c.want)
		}
	}
}

func TestFolderWithSymlinkIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a", filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	if _, err := walk(Folder(os.DirFS(dir)), Standard()); refusal(err) != `unsafe "b": The entry is a symbolic link.` {
		t.Error(err)
	}
	if _, err := walk(Folder(fstest.MapFS{"a": {Mode: fs.ModeNamedPipe}}),
		Standard()); refusal(err) != `unsafe "a": The entry is neither a file nor a folder.` {
		t.Error(err)
	}
}

func TestLimitsAreEnforced(t *testing.T) {
	small := tree{"a": strings.Repeat("x", 100), "b": strings.Repeat("y", 100)}
	for name, c := range map[string]struct {
		limits Limits
		want   string
	}{
		"entries": {Limits{Entries: 1, Bytes: 1 << 20, FileBytes: 1 << 20, Ratio: 100},
			`too much "b": The bundle contains more than 1 entries.`},
		"bytes": {Limits{Entries: 9, Bytes: 150, FileBytes: 1 << 20, Ratio: 100},
			"The bundle unpacks to more than 150 bytes."},
		"file": {Limits{Entries: 9, Bytes: 1 << 20, FileBytes: 99, Ratio: 100},
			`too much "a": The file is larger than 99 bytes.`},
	} {
		for form, src := range map[string]Source{"tar.gz": archive(small.tarGz(t)), "zip": archive(small.zip(t)),
			"folder": small.folder()} {
			if _, err := walk(src, c.limits); !strings.HasSuffix(refusal(err), c.want) {
				t.Errorf("%s of %s: %s", name, form, refusal(err))
			}
		}
	}
}

// zeros is an endless file.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// B12: the reader rejects a bundle that unpacks to a thousand times its size early, and with little memory.
func TestDecompressionBombsAreStoppedEarly(t *testing.T) {
	const size = 256 << 20
	var tgz, zipped bytes.Buffer
	gz := gzip.NewWriter(&tgz)
	tw := tar.NewWriter(gz)
	zw := zip.NewWriter(&zipped)
	w, err := zw.Create("zeros.bin")
	if err == nil {
		err = tw.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "zeros.bin", Size: size})
	}
	if err == nil {
		_, err = io.CopyN(io.MultiWriter(tw, w), zeros{}, size)
	}
	if err := errors.Join(err, tw.Close(), gz.Close(), zw.Close()); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"tar.gz": tgz.Bytes(), "zip": zipped.Bytes()} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := check(t, archive(data), Options{})
		runtime.ReadMemStats(&after)
		if got := brief(r.Findings); got != "zeros.bin bundle-limit" {
			t.Errorf("%s: %s", name, got)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
			t.Errorf("%s took %d bytes of memory", name, used)
		}
	}
}

// B7: a bundle that is truncated anywhere never passes.
func TestTruncatedBundlesAreDetected(t *testing.T) {
	good := goodTree().sealed()
	for name, data := range map[string][]byte{"tar.gz": good.tarGz(t), "zip": good.zip(t)} {
		for n := 0; n < len(data); n += 1 + n%7 {
			if r := check(t, archive(data[:n]), Options{}); r.OK {
				t.Fatalf("%s with %d of %d bytes passes", name, n, len(data))
			}
		}
	}
}

// B7: one altered byte anywhere in an archive is detected. If nothing depends on that byte, the report does not change.
func TestOneAlteredByteIsDetected(t *testing.T) {
	good := tree{"index.html": page("", "<p>a</p>"), "a.txt": "text"}.sealed()
	for name, data := range map[string][]byte{"tar.gz": good.tarGz(t), "zip": good.zip(t)} {
		want := check(t, archive(data), Options{}).TreeHash
		for at := range data {
			altered := bytes.Clone(data)
			altered[at] ^= 0x41
			if r := check(t, archive(altered), Options{}); r.OK && r.TreeHash != want {
				t.Fatalf("%s with byte %d altered passes as %s", name, at, r.TreeHash)
			}
		}
	}
}

type brokenDisk struct{}

var errDisk = errors.New("disk is broken")

func (brokenDisk) ReadAt(p []byte, off int64) (int, error) {
	if off == 0 && len(p) == 4 {
		return copy(p, "\x1f\x8b\x08\x00"), nil
	}
	return 0, errDisk
}

func TestReadErrorIsAnErrorNotAFinding(t *testing.T) {
	if r, err := Check(context.Background(), Archive(brokenDisk{}, 1000), Options{}); !errors.Is(err, errDisk) {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestCanceledContextEndsCheck(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, src := range map[string]Source{"tar.gz": archive(goodTree().tarGz(t)), "zip": archive(goodTree().zip(t)),
		"folder": goodTree().folder()} {
		if _, err := Check(ctx, src, Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
