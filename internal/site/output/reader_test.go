package output

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// randomTree returns files of every kind: packed and not packed, with and without plain bytes, empty, stored, large,
// and with long names.
func randomTree(r *rand.Rand, n int) []File {
	var out []File
	for i := range n {
		name := fmt.Sprintf("%s%s%d.html", strings.Repeat("dir-é/", r.IntN(4)), strings.Repeat("long", r.IntN(40)), i)
		f := File{Path: name, ContentType: "text/html; charset=utf-8", Data: []byte{}}
		switch r.IntN(6) {
		case 0:
		case 1:
			f.Data = text(r, 1+r.IntN(100))
		case 2:
			f.Data = make([]byte, r.IntN(200_000))
			for i := range f.Data {
				f.Data[i] = byte(r.Uint32())
			}
			if r.IntN(2) == 0 {
				f.ContentType = "image/png"
			}
		default:
			f.Data = text(r, r.IntN(2*packBlock))
		}
		if r.IntN(2) == 0 {
			f.Packed = Pack(f.Data, f.ContentType)
		}
		out = append(out, f)
	}
	return out
}

// written writes files to an archive. Half of the files with a deflated form are written without their plain bytes.
func written(t testing.TB, open func(io.Writer) *Archive, files []File) []byte {
	t.Helper()
	var b bytes.Buffer
	a := open(&b)
	for i, f := range files {
		if f.Packed != nil && f.Packed.Deflated != nil && i%2 == 0 {
			f.Data = nil
		}
		if err := a.Put(context.Background(), f); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func untar(t *testing.T, data []byte) map[string]string {
	t.Helper()
	gz, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	gz.Multistream(false) // there must be only one member, because some programs support only one
	out := map[string]string{}
	r := tar.NewReader(gz)
	for {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out[h.Name] = string(body)
	}
	if rest, err := io.ReadAll(gz); err != nil || len(rest) != 0 { // checks the CRC
		t.Fatalf("after the last entry: %d bytes, %v", len(rest), err)
	}
	return out
}

func unzip(t *testing.T, data []byte) map[string]string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range r.File {
		rc, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(rc)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		out[f.Name] = string(body)
	}
	return out
}

func TestRandomTreesRoundTripThroughBothArchives(t *testing.T) {
	for seed := range uint64(12) {
		files := randomTree(rand.New(rand.NewPCG(seed, 99)), 30)
		want := map[string]string{}
		for _, f := range files {
			want[f.Path] = string(f.Data)
		}
		if got := untar(t, written(t, NewTarGz, files)); !maps.Equal(got, want) {
			t.Fatalf("seed %d: the tar.gz contains different files: %v", seed, slices.Sorted(maps.Keys(got)))
		}
		if got := unzip(t, written(t, NewZip, files)); !maps.Equal(got, want) {
			t.Fatalf("seed %d: the zip contains different files: %v", seed, slices.Sorted(maps.Keys(got)))
		}
	}
}

// This test uses the programs with which people open archives. tools/install-testservers installs them.
func TestOtherProgramsReadArchives(t *testing.T) {
	files := randomTree(rand.New(rand.NewPCG(5, 5)), 20)
	many := slices.Clone(files)
	for i := range 66_000 { // more than a zip without zip64 can hold
		many = append(many, File{Path: fmt.Sprintf("many/%d/%d.txt", i/1000, i), ContentType: "text/plain",
			Data: fmt.Appendf(nil, "%d", i)})
	}
	dir := t.TempDir()
	for name, data := range map[string][]byte{
		"site.tar.gz": written(t, NewTarGz, files), "site.zip": written(t, NewZip, files),
		"many.tar.gz": written(t, NewTarGz, many), "many.zip": written(t, NewZip, many),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{
		"gzip -t site.tar.gz", "mkdir from-tar && tar -xzf site.tar.gz -C from-tar",
		"gzip -t many.tar.gz", "test $(tar -tzf many.tar.gz | wc -l) = 66020", "unzip -tqq many.zip",
		"mkdir from-zip && unzip -qq site.zip -d from-zip", "diff -r from-tar from-zip",
	} {
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "LC_ALL=C.UTF-8")
		if out, err := cmd.CombinedOutput(); err != nil || len(out) != 0 {
			t.Fatalf("%s: %v\n%.2000s", command, err, out)
		}
	}
	for _, f := range files {
		if got, err := os.ReadFile(filepath.Join(dir, "from-zip", f.Path)); err != nil || !bytes.Equal(got, f.Data) {
			t.Fatalf("%s: %d bytes, %v", f.Path, len(got), err)
		}
	}
}

// zeros returns the packed form of many zeros, which are never in memory.
func zeros(blocks int) File {
	one := Pack(make([]byte, packBlock), "text/plain")
	p := &Packed{CRC32: 0}
	s := newCRCShift()
	for range blocks {
		p.CRC32 = s.join(p.CRC32, one.CRC32, one.Size)
		p.Size += one.Size
	}
	p.Deflated = bytes.Repeat(one.Deflated, blocks)
	return File{Path: "large.txt", ContentType: "text/plain", Packed: p}
}

func TestArchivesSupportEntriesBeyondFourGibibytes(t *testing.T) {
	for _, size := range []int64{1<<32 + packBlock, 1<<33 + packBlock} { // too large for plain zip; then also for tar
		large, small := zeros(int(size/packBlock)), File{Path: "small.txt", Data: []byte("after it")}
		raw := written(t, NewZip, []File{large, small})
		r, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
		if err != nil || len(r.File) != 2 || r.File[0].UncompressedSize64 != uint64(size) {
			t.Fatalf("%v: %+v", err, r.File)
		}
		body, err := r.Open("small.txt")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(body); err != nil || string(got) != "after it" {
			t.Errorf("%q %v", got, err)
		}
		raw = written(t, NewTarGz, []File{large, small})
		heads := 512 + 512 + 512 + 1024
		if size >= 1<<33 {
			heads += 1024 // its size needs an entry of its own
		}
		if end := binary.LittleEndian.Uint32(raw[len(raw)-4:]); end != uint32(size+int64(heads)) {
			t.Errorf("the trailer has the size %d", end)
		}
		gz, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if h, err := tar.NewReader(gz).Next(); err != nil || h.Size != size || h.Name != "large.txt" {
			t.Errorf("%+v %v", h, err)
		}
	}
}

// The trailer of the gzip file is computed from the checksums of the pieces.
func TestTarGzHasTheRightSizeAndChecksum(t *testing.T) {
	raw := written(t, NewTarGz, []File{zeros(5), {Path: "b", Data: []byte("b")}, zeros(3)})
	gz, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	h := crc32.NewIEEE()
	if n, err := io.Copy(h, gz); err != nil || n != 3*512+8*packBlock+512+1024 {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestArchiveRefusesContentOfTheWrongSize(t *testing.T) {
	p := Pack(nil, "")
	p.Size = 5
	for name, open := range map[string]func(io.Writer) *Archive{"tar.gz": NewTarGz, "zip": NewZip} {
		if err := open(io.Discard).Put(t.Context(), File{Path: "a", Packed: p, Data: []byte("four")}); err == nil {
			t.Errorf("%s accepted it", name)
		}
	}
}
