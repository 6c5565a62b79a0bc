package disk_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

func TestStreamedBlobIsStoredAtomically(t *testing.T) {
	s := open(t)
	w := blob.Create(t.Context(), s, "a/whole")
	for range 3 {
		if _, err := io.WriteString(w, strings.Repeat("x", 100_000)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(nil); err != nil || w.Size() != 300_000 {
		t.Fatalf("%d bytes: %v", w.Size(), err)
	}
	if _, info, err := s.Open(t.Context(), "a/whole"); err != nil || info.Size != 300_000 {
		t.Fatalf("%+v %v", info, err)
	}
	broken := errors.New("the archive is broken")
	w = blob.Create(t.Context(), s, "a/half")
	if _, err := io.WriteString(w, "half"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(broken); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	if _, _, err := s.Open(t.Context(), "a/half"); !fault.HasCode(err, "blob_not_found") {
		t.Fatalf("something was stored: %v", err)
	}
}

// A writer gets an error if its blob store has failed; it does not block forever.
func TestWriterReportsLostBlob(t *testing.T) {
	s := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	w := blob.Create(ctx, s, "a/lost")
	cancel()
	var err error
	for err == nil {
		_, err = io.WriteString(w, strings.Repeat("x", 1000))
	}
	if err := w.Close(nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}
