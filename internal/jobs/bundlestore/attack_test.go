package bundlestore

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"strings"
	"testing"
)

type attack struct {
	data []byte
	text string // expected in the refusal
}

func hostile(t *testing.T) map[string]attack {
	file := func(name string, size int64) *tar.Header {
		return &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o644}
	}
	of := func(list ...*tar.Header) []byte {
		body := tree{}
		for _, h := range list {
			body[h.Name] = strings.Repeat("x", int(h.Size))
		}
		return tarOf(t, list, body)
	}
	special := func(kind byte, target string) []byte {
		return of(&tar.Header{Typeflag: kind, Name: "a", Linkname: target}, file("a/x", 1))
	}
	var many, folders []*tar.Header
	for i := range 60 {
		many, folders = append(many, file(fmt.Sprint("f", i), 1)),
			append(folders, &tar.Header{Typeflag: tar.TypeDir, Name: fmt.Sprintf("d%d/", i), Mode: 0o755})
	}
	out := map[string]attack{
		"tar: absolute path":               {of(file("/tmp/x", 1)), "absolute path"},
		"tar: parent path":                 {of(file("../../../x", 1)), "points outside"},
		"tar: parent inside":               {of(file("a/b/../../../x", 1)), "points outside"},
		"tar: parent behind a dot":         {of(file("./../x", 1)), "points outside"},
		"tar: backslashes":                 {of(file(`..\..\x`, 1)), "backslash"},
		"tar: drive":                       {of(file("c:/x", 1)), "every system"},
		"tar: path on a drive":             {of(file("C:x", 1)), "every system"},
		"tar: control character":           {of(file("a\x1b[2Jb", 1)), "every system"},
		"tar: symbolic link, then through": {special(tar.TypeSymlink, "/tmp"), "symbolic link"},
		"tar: symbolic link to the parent": {special(tar.TypeSymlink, ".."), "symbolic link"},
		"tar: hard link":                   {special(tar.TypeLink, "/etc/passwd"), "hard link"},
		"tar: character device":            {special(tar.TypeChar, ""), "device"},
		"tar: block device":                {special(tar.TypeBlock, ""), "device"},
		"tar: pipe":                        {special(tar.TypeFifo, ""), "pipe"},
		"tar: unknown kind":                {retyped(t, of(file("a", 1)), 'Z'), "neither a file nor a folder"},
		"tar: contiguous file": {retyped(t, of(file("a", 1)), tar.TypeCont),
			"neither a file nor a folder"},
		"tar: old sparse file":          {retyped(t, of(file("a", 1)), tar.TypeGNUSparse), ""},
		"tar: same name twice":          {of(file("a", 1), file("a", 1)), "twice"},
		"tar: same name behind a dot":   {of(file("a", 1), file("./a", 1)), "twice"},
		"tar: letter case":              {of(file("Page.html", 1), file("page.HTML", 1)), "letter case"},
		"tar: file where a folder is":   {of(file("a/b", 1), file("a", 1)), "twice"},
		"tar: folder where a file is":   {of(file("a", 1), file("a/b", 1)), "needs a folder"},
		"tar: folder twice":             {of(folders[0], folders[0]), "twice"},
		"tar: too many files":           {of(many...), "more than 50 entries"},
		"tar: too many folders":         {of(folders...), "more than 50 entries"},
		"tar: one file too large":       {of(file("a", 1<<19+1)), ""},
		"tar: too large in all":         {randomTar(t, 3, 1<<19-1), "unpacks to more than"},
		"tar: unpacks to too much":      {of(file("a", 1<<18)), "times its size"},
		"tar: name of a thousand bytes": {of(file(strings.Repeat("n", 1000), 1)), "too long"},
		"tar: path of 100 kB":           {of(file(strings.Repeat("n/", 50_000)+"x", 1)), ""},
		"tar: deep path":                {of(file(strings.Repeat("d/", 400)+strings.Repeat("n", 300), 1)), ""},
		"tar: PAX path leads out":       {pax(t, map[string]string{"path": "../../x"}), "points outside"},
		"tar: PAX path is absolute":     {pax(t, map[string]string{"path": "/tmp/x"}), "absolute path"},
		"tar: PAX link path on a file":  {pax(t, map[string]string{"path": "a/../b"}), "points outside"},
		"tar: PAX sparse file": {rawPax(t,
			"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n30 GNU.sparse.name=index.html\n31 GNU.sparse.realsize=99999999\n"), ""},
		"tar: PAX size lies":          {rawPax(t, "17 size=99999999\n"), ""},
		"tar: PAX size is negative":   {rawPax(t, "11 size=-1\n"), ""},
		"tar: PAX record without end": {rawPax(t, "99999999 path=x"), ""},
		"tar: PAX global header": {of(&tar.Header{Typeflag: tar.TypeXGlobalHeader, Name: "g",
			PAXRecords: map[string]string{"path": "../x"}}), "neither a file nor a folder"},
		"tar: goes on after its end":    {append(of(file("a", 1)), of(file("../b", 1))...), "after its end"},
		"tar: gzip with rubbish behind": {append(of(file("a", 1)), "rubbish rubbish rubbish"...), "damaged"},
		"gzip in gzip":                  {gzipOf(t, of(file("a", 1))), ""},
		"gzip of nothing":               {gzipOf(t, nil), ""},
		"an archive in an archive, no list": {tarOf(t, []*tar.Header{file("inner.tar.gz",
			int64(len(of(file("a", 1)))))}, tree{"inner.tar.gz": string(of(file("a", 1)))}), "no manifest.json"},
	}
	for name, a := range hostileZips(t) {
		out["zip: "+name] = a
	}
	return out
}

func gzipOf(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	if _, err := gz.Write(data); err != nil || gz.Close() != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gunzip(t *testing.T, data []byte) []byte {
	t.Helper()
	gz, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(gz)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// randomTar returns an archive of files that do not compress well.
func randomTar(t *testing.T, files, size int) []byte {
	t.Helper()
	var list []*tar.Header
	body, state := tree{}, uint32(1)
	for i := range files {
		raw := make([]byte, size)
		for n := range raw {
			state = state*1664525 + 1013904223
			raw[n] = byte(state >> 24)
		}
		name := fmt.Sprint("random", i)
		list, body[name] = append(list, &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(size), Mode: 0o644}),
			string(raw)
	}
	return tarOf(t, list, body)
}

// retyped changes the type of the first entry and fixes its checksum.
func retyped(t *testing.T, data []byte, kind byte) []byte {
	t.Helper()
	raw := gunzip(t, data)
	raw[156] = kind
	seal(raw)
	return gzipOf(t, raw)
}

// seal fixes a header's checksum.
func seal(raw []byte) {
	copy(raw[148:156], "        ")
	sum := 0
	for _, b := range raw[:512] {
		sum += int(b)
	}
	copy(raw[148:156], fmt.Sprintf("%06o\x00 ", sum))
}

func pax(t *testing.T, records map[string]string) []byte {
	t.Helper()
	var text strings.Builder
	for key, value := range records {
		size := len(key) + len(value) + 3
		size += len(fmt.Sprint(size + len(fmt.Sprint(size))))
		fmt.Fprintf(&text, "%d %s=%s\n", size, key, value)
	}
	return rawPax(t, text.String())
}

// rawPax returns an archive of a file whose extended header is text, unchanged.
func rawPax(t *testing.T, text string) []byte {
	t.Helper()
	head := gunzip(t, tarOf(t, []*tar.Header{{Typeflag: tar.TypeReg, Name: "pax", Size: int64(len(text)), Mode: 0o644}},
		tree{"pax": text}))
	head = head[:512+(len(text)+511)/512*512]
	head[156] = tar.TypeXHeader
	seal(head)
	return gzipOf(t, append(head, gunzip(t, tarOf(t,
		[]*tar.Header{{Typeflag: tar.TypeReg, Name: "index.html", Size: 1, Mode: 0o644}}, tree{"index.html": "x"}))...))
}

func hostileZips(t *testing.T) map[string]attack {
	named := func(names ...string) []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for _, name := range names {
			out, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
			if err == nil && !strings.HasSuffix(name, "/") {
				_, err = out.Write([]byte("some words"))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	moded := func(mode fs.FileMode) []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		h := &zip.FileHeader{Name: "a"}
		h.SetMode(mode)
		out, err := w.CreateHeader(h)
		if err == nil {
			_, err = out.Write([]byte("/etc/passwd"))
		}
		if err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	lying := func(said, real int) []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		raw := bytes.Repeat([]byte("x"), real)
		out, err := w.CreateRaw(&zip.FileHeader{Name: "a", Method: zip.Store, CRC32: crc32.ChecksumIEEE(raw),
			CompressedSize64: uint64(real), UncompressedSize64: uint64(said)})
		if err == nil {
			_, err = out.Write(raw)
		}
		if err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	// Both directory entries point to the first file, which would be counted once but unpacked twice.
	overlapping := func() []byte {
		raw := named("a", "b")
		list := int(binary.LittleEndian.Uint32(raw[len(raw)-22+16:]))
		second := list + 46 + 1 + int(binary.LittleEndian.Uint16(raw[list+30:]))
		binary.LittleEndian.PutUint32(raw[second+42:], 0)
		return raw
	}
	var many []string
	for i := range 60 {
		many = append(many, fmt.Sprint("f", i))
	}
	return map[string]attack{
		"absolute path": {named("/tmp/x"), "absolute path"}, "parent path": {named("../../x"), "points outside"},
		"backslashes": {named(`..\x`), "backslash"}, "NUL": {named("a\x00b"), "NUL"},
		"same name twice": {named("a", "a"), "twice"}, "letter case": {named("a", "A"), "letter case"},
		"folder where a file is":  {named("a", "a/b"), "needs a folder"},
		"too many":                {named(many...), "more than 50 entries"},
		"symbolic link":           {moded(0o777 | fs.ModeSymlink), "symbolic link"},
		"device":                  {moded(fs.ModeDevice | 0o644), "neither a file nor a folder"},
		"pipe":                    {moded(fs.ModeNamedPipe | 0o644), "neither a file nor a folder"},
		"says less than it holds": {lying(3, 2000), ""}, "says more than it holds": {lying(2000, 3), ""},
		"says four gigabytes": {lying(1<<32-2, 3), ""}, "overlapping entries": {overlapping(), "overlap"},
		"long name": {named(strings.Repeat("n", 1000)), "too long"}, "nothing in it": {named(), "no manifest.json"},
		"rubbish before it":         {append([]byte("rubbish"), named("a")...), "neither a tar.gz nor a zip"},
		"an archive in it, no list": {named("inner.zip"), "no manifest.json"},
	}
}
