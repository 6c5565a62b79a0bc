package bundlestore

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// zeros writes a tar.gz with four files of so many zeros in all, each small enough by itself. They are packed once: gzip files may stand one behind another.
func zeros(t *testing.T, size int64) string {
	t.Helper()
	const piece = 64 << 20
	var head, body, tail bytes.Buffer
	pack := func(to *bytes.Buffer, fill func(w io.Writer) error) {
		gz, err := gzip.NewWriterLevel(to, gzip.BestCompression)
		if err == nil {
			err = fill(gz)
		}
		if err != nil || gz.Close() != nil {
			t.Fatal(err)
		}
	}
	pack(&body, func(w io.Writer) error { _, err := w.Write(make([]byte, piece)); return err })
	pack(&tail, func(w io.Writer) error { _, err := w.Write(make([]byte, 1024)); return err })
	name := filepath.Join(t.TempDir(), "zeros.tar.gz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		head.Reset()
		pack(&head, func(w io.Writer) error {
			return tar.NewWriter(w).WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: fmt.Sprintf("zeros-%d.bin", i), Size: size / 4, Mode: 0o644})
		})
		if _, err = f.Write(head.Bytes()); err != nil {
			break
		}
		for n := int64(0); n < size/4 && err == nil; n += piece {
			_, err = f.Write(body.Bytes())
		}
	}
	if err == nil {
		_, err = f.Write(tail.Bytes())
	}
	if err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	return name
}
