package build

import (
	"bytes"
	"context"
	"crypto/sha256"

	"github.com/lectern-docs/lectern/internal/render/markdown"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// openTwinSpool opens a temporary file for the Markdown forms of the pages: llms-full.txt needs them in another order
// than the pages are rendered in.
func (b *builder) openTwinSpool(context.Context) (err error) {
	if !b.src.site.SEO.NoIndex {
		b.twinSpool, err = output.OpenSpool(b.opt.Scratch)
	}
	return err
}

// spooledTwin locates a page's Markdown form in the spool, compressed or as plain text.
type spooledTwin struct {
	piece  output.Piece // the digest of the text, then the form
	size   int32        // of the text, in bytes
	packed bool
}

// spoolTwin writes a page's Markdown form to the spool if a list may include it. Compressed forms stay compressed,
// since most of them are never read again.
func (b *builder) spoolTwin(r *result) (err error) {
	if b.twinSpool == nil || !b.nav.listed(r.page) {
		return nil
	}
	t := &r.entry.twin
	t.size = int32(r.twin.size())
	data := r.twin.data
	if p := r.twin.packed; p.Deflated != nil {
		t.packed, data = true, p.Deflated
	}
	if t.piece, err = b.twinSpool.Add(r.twin.packed.SHA256[:]); err != nil {
		return err
	}
	t.piece.Size += len(data)
	_, err = b.twinSpool.Add(data)
	return err
}

// twinSum returns the digest of a spooled Markdown form.
func (b *builder) twinSum(e *entry) (sum [sha256.Size]byte, err error) {
	head := e.twin.piece
	head.Size = sha256.Size
	data, err := b.twinSpool.Read(head)
	copy(sum[:], data)
	return sum, err
}

// twinText reads a Markdown form back, without the line that names the list of all pages and without the author's note
// to agents: llms-full.txt has both once, at its start.
func (b *builder) twinText(e *entry) ([]byte, error) {
	data, err := b.twinSpool.Read(e.twin.piece)
	if err != nil {
		return nil, err
	}
	sum, data := [sha256.Size]byte(data), data[sha256.Size:]
	if e.twin.packed {
		packed := output.Packed{Size: int64(e.twin.size), SHA256: sum, Deflated: data}
		data, err = packed.Unpack()
	}
	data = bytes.TrimSuffix(data, []byte(agentNote(b.src.site)))
	return bytes.Replace(data, []byte(b.pointer(e.page)), nil, 1), err
}

// pointer is the line of a page's Markdown form that names the list of all pages.
func (b *builder) pointer(p *site.Page) string {
	return markdown.Pointer(listAddress(b.addr.From(p.Path, p.Path), b.nav.listFile(p))) + "\n\n"
}
