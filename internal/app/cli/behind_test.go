package cli

import (
	"bytes"
	"errors"
	"testing"
)

type failing struct {
	bytes.Buffer
	after int
}

var errFull = errors.New("full")

// Write implements io.Writer.
func (f *failing) Write(p []byte) (int, error) {
	if f.Len()+len(p) > f.after {
		return 0, errFull
	}
	return f.Buffer.Write(p)
}

func TestBackgroundWritesKeepTheirOrder(t *testing.T) {
	t.Parallel()
	var want bytes.Buffer
	got := &failing{after: 1 << 30}
	w := writeBehind(got, 1000)
	for i := range 3000 {
		piece := bytes.Repeat([]byte{byte(i)}, i%97)
		want.Write(piece)
		if _, err := w.Write(piece); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), w.Close()); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Fatalf("%v, %d of %d bytes", err, got.Len(), want.Len())
	}
}

func TestBackgroundWriteFailureIsReported(t *testing.T) {
	t.Parallel()
	w := writeBehind(&failing{after: 2500}, 1000)
	for range 10_000 {
		if _, err := w.Write([]byte("0123456789")); err != nil {
			break
		}
	}
	if err := w.Close(); !errors.Is(err, errFull) {
		t.Fatal(err)
	}
}
