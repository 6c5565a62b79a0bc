package publish

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// drain is a blob store that reads its input to the end and reports the error at its end.
type drain struct {
	blob.Store
	ended chan error
}

func (r drain) Put(_ context.Context, _ string, from io.Reader) (int64, error) {
	n, err := io.Copy(io.Discard, from)
	r.ended <- err
	return n, err
}

// A build that panics leaves no upload waiting forever.
func TestAbandonedBuildAbortsItsUploads(t *testing.T) {
	b := drain{ended: make(chan error, 1)}
	f := startFiles(t.Context(), newPacker(t.Context(), b, "prj_x", "dep_x-1"), known{})
	func() {
		defer func() { _ = recover() }()
		defer f.abandon()
		if err := f.Put(t.Context(),
			output.File{Path: "index.html", Data: []byte("<p>"), ContentType: "text/html"}); err != nil {
			t.Error(err)
		}
		panic("boom")
	}()
	if err := <-b.ended; !errors.Is(err, errAbandoned) {
		t.Fatalf("the upload ended with %v", err)
	}
}
