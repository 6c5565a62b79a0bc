//go:build nightly

package e2e

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// B12: a bundle server that receives ten gigabytes of zeros, as tar.gz and as zip, refuses them, keeps serving, and
// needs less than 64 MiB of additional memory, measured as the system's peak resident memory.
func TestZeroBombsAreRefusedWithLittleMemory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	link, good, data := filepath.Join(dir, "link"), filepath.Join(dir, "good.tar.gz"), filepath.Join(dir, "data")
	command(t, nil, "export", site(t, 5), "--out", good, "--label", "v1", "--no-cache", "--scripts", "off")
	write(t, link, good)
	address := freeAddress(t)
	p := spawn(t, nil, "serve-bundle", "--source-file", link, "--data", data, "--listen", address)
	p.url = "http://" + address
	p.Await("readiness", func() bool { return status(p.url+"/readyz") == http.StatusOK })
	before := peakMemory(t, p.Pid())
	for name, pack := range map[string]func(t *testing.T, name string){
		"zeros.tar.gz": zerosTarGz, "zeros.zip": zerosZip} {
		bomb := filepath.Join(dir, name)
		pack(t, bomb)
		refused := strings.Count(p.Output(), "bundle refused")
		write(t, link, bomb)
		if err := p.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		p.Await("the refusal of "+name, func() bool { return strings.Count(p.Output(), "bundle refused") > refused })
		grown := peakMemory(t, p.Pid()) - before
		t.Logf("%s: %d MiB beyond %d MiB", name, grown>>20, before>>20)
		if grown > 64<<20 {
			t.Errorf("%s: memory grew by %d bytes", name, grown)
		}
		if !strings.Contains(p.Output(), "times its size") {
			t.Errorf("%s was refused for another reason: %s", name, p.Tail(1000))
		}
		if s := status(p.url + "/page-00001"); s != http.StatusOK {
			t.Errorf("after %s, the site returns %d", name, s)
		}
		if left, err := os.ReadDir(filepath.Join(data, "incoming")); err != nil || len(left) > 0 {
			t.Errorf("%s left %v behind, %v", name, left, err)
		}
	}
	p.Stop()
}

// peakMemory returns the peak resident memory of a process, in bytes.
func peakMemory(t *testing.T, pid int) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kib, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kib << 10
}

const (
	zeroPiece = 64 << 20
	zeroFiles = 4 // each is small enough by itself
	zeroPer   = 10 << 30 / zeroFiles / zeroPiece
)

// zerosTarGz writes ten gigabytes of zeros. They are compressed once, because gzip files may be concatenated.
func zerosTarGz(t *testing.T, name string) {
	t.Helper()
	pack := func(fill func(w io.Writer) error) []byte {
		var b bytes.Buffer
		gz := gzip.NewWriter(&b)
		if err := fill(gz); err != nil || gz.Close() != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	zeros := pack(func(w io.Writer) error { _, err := w.Write(make([]byte, zeroPiece)); return err })
	var all bytes.Buffer
	for i := range zeroFiles {
		all.Write(pack(func(w io.Writer) error {
			return tar.NewWriter(w).WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: fmt.Sprintf("zeros-%d.bin", i),
				Size: zeroPer * zeroPiece, Mode: 0o644})
		}))
		all.Write(bytes.Repeat(zeros, zeroPer))
	}
	all.Write(pack(func(w io.Writer) error { _, err := w.Write(make([]byte, 1024)); return err }))
	write(t, name, all.String())
}

// zerosZip writes the same number of zeros into a zip archive. Deflate blocks may be concatenated, too, as long as only
// the last one is marked as final.
func zerosZip(t *testing.T, name string) {
	t.Helper()
	var piece, end, all bytes.Buffer
	fw, err := flate.NewWriter(&piece, flate.DefaultCompression)
	if err == nil {
		_, err = fw.Write(make([]byte, zeroPiece))
	}
	if err != nil || fw.Flush() != nil {
		t.Fatal(err)
	}
	if fw.Reset(&end); fw.Close() != nil {
		t.Fatal("end of a deflate stream")
	}
	zw := zip.NewWriter(&all)
	for i := range zeroFiles {
		w, err := zw.CreateRaw(&zip.FileHeader{Name: fmt.Sprintf("zeros-%d.bin", i), Method: zip.Deflate,
			UncompressedSize64: zeroPer * zeroPiece,
			CompressedSize64:   uint64(piece.Len()*zeroPer + end.Len())})
		if err == nil {
			_, err = w.Write(append(bytes.Repeat(piece.Bytes(), zeroPer), end.Bytes()...))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, name, all.String())
}
