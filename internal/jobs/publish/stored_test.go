package publish

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// A file is stored in the same form whether or not the build compressed it, and whether or not its plain bytes are
// available.
func TestFilesAreStoredFromPlainOrCompressedForm(t *testing.T) {
	text, noise := []byte(strings.Repeat("<p>a page</p>\n", 400)), []byte(strings.Repeat("\x89PNG", 400))
	for _, c := range []struct {
		kind string
		data []byte
		gzip bool
	}{
		{"text/html; charset=utf-8", text, true}, {"text/html; charset=utf-8", text[:200], false},
		{"application/octet-stream", text, false},
		{"image/png", noise, false}, {"text/plain", nil, false},
	} {
		p := output.Pack(c.data, c.kind)
		forms := []output.File{{ContentType: c.kind, Data: c.data}, {ContentType: c.kind, Data: c.data, Packed: p}}
		if p.Deflated != nil {
			forms = append(forms, output.File{ContentType: c.kind, Packed: p})
		}
		var first []byte
		for i, f := range forms {
			got, packed, err := stored(f)
			if err != nil || packed != c.gzip {
				t.Fatalf("%s, form %d: packed %v, %v", c.kind, i, packed, err)
			}
			if first == nil {
				first = got
			}
			if !bytes.Equal(got, first) {
				t.Errorf("%s, form %d is stored otherwise", c.kind, i)
			}
			if packed {
				z, err := gzip.NewReader(bytes.NewReader(got))
				if err != nil {
					t.Fatal(err)
				}
				if got, err = io.ReadAll(z); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(got, c.data) {
				t.Errorf("%s, form %d comes back as %d bytes", c.kind, i, len(got))
			}
		}
	}
}
