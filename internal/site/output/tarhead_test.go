package output

import (
	"archive/tar"
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestTarHeadersMatchTheStandardLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	sizes := []int64{0, 1, 511, 512, 1 << 20, 1<<32 - 1, 1 << 32, 1<<33 - 1, 1 << 33, 1 << 40}
	for range 2000 {
		name := strings.Repeat("a/b-c", r.IntN(30)) + string(rune('a'+r.IntN(300)))
		size := sizes[r.IntN(len(sizes))]
		var got, want bytes.Buffer
		if err := tarHead(&got, name, size); err != nil {
			t.Fatal(err)
		}
		h := &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o644, ModTime: epoch}
		if err := tar.NewWriter(&want).WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Fatalf("%q, %d bytes:\n%q\n%q", name, size, got.Bytes(), want.Bytes())
		}
	}
}
