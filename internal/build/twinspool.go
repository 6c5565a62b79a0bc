package build

import (
	"bytes"
	"context"
	"crypto/sha256"

	"github.com/lectern-docs/lectern/internal/render/markdown"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// twinSpool stores the Markdown forms of listed pages in a temporary file, because llms-full.txt contains pages in a
// different order than they are rendered. pageWriter fills it; after flush, any number of goroutines may read.
type twinSpool struct {
	spool *output.Spool // nil once closed
	nav   *navigation
	addr  *addresses
	// read returns a form that the output already has and that is therefore not in the spool. Its error is
	// errPageChanged if the form now has a different digest.
	read func(p *site.Page, sum [sha256.Size]byte) ([]byte, error)
}

// spooledTwin locates a page's Markdown form in the spool, compressed or as plain text.
type spooledTwin struct {
	sum    [sha256.Size]byte // of the text
	piece  output.Piece      // empty if the form is held
	size   int32             // of the text, in bytes
	packed bool
	held   bool // the output already has the form, see twinSpool.read
}

func openTwinSpool(ctx context.Context, scratch string, s *preparedSite) (*twinSpool, error) {
	spool, err := output.OpenSpool(scratch)
	if err != nil {
		return nil, err
	}
	read := func(p *site.Page, sum [sha256.Size]byte) ([]byte, error) { return s.pages.readTwin(ctx, p, sum) }
	return &twinSpool{spool: spool, nav: s.nav, addr: s.addr, read: read}, nil
}

// add writes the Markdown form of a page to the spool if a list may include the page. Compressed forms stay
// compressed, because most of them are never read again. It may be called on nil.
func (s *twinSpool) add(p *site.Page, form payload) (t spooledTwin, err error) {
	if s == nil || !s.nav.listed(p) {
		return t, nil
	}
	t.sum, t.size, t.held = form.packed.SHA256, int32(form.size()), form.held
	data := form.data
	if deflated := form.packed.Deflated; deflated != nil {
		t.packed, data = true, deflated
	}
	if !t.held {
		t.piece, err = s.spool.Add(data)
	}
	return t, err
}

// flush makes everything that was added readable.
func (s *twinSpool) flush() error { return s.spool.Flush() }

// text reads a Markdown form back, without the link to the list of all pages and without the author's note to agents,
// because llms-full.txt has both once, at its start. The error is errPageChanged if the text does not match its digest.
func (s *twinSpool) text(e *entry) (data []byte, err error) {
	if e.twin.held {
		data, err = s.read(e.page, e.twin.sum)
	} else {
		data, err = s.spool.Read(e.twin.piece)
	}
	if err == nil && e.twin.packed {
		packed := output.Packed{Size: int64(e.twin.size), SHA256: e.twin.sum, Deflated: data}
		data, err = packed.Unpack()
	}
	data = bytes.TrimSuffix(data, []byte(agentNote(s.nav.site)))
	return bytes.Replace(data, []byte(s.pointer(e.page)), nil, 1), err
}

// pointer returns the line of a page's Markdown form with the link to the list of all pages.
func (s *twinSpool) pointer(p *site.Page) string {
	return markdown.Pointer(listAddress(s.addr.From(p.Path, p.Path), s.nav.listFile(p))) + "\n\n"
}

// close removes the file. It may be called on nil, and more than once.
func (s *twinSpool) close() {
	if s != nil {
		s.spool.Close()
		s.spool = nil
	}
}
