package build

import (
	"bytes"
	"context"
	"crypto/sha256"

	"github.com/lectern-docs/lectern/internal/render/markdown"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// spoolTwins makes room for the Markdown forms of the pages, which llms-full.txt needs in another order than they are made.
func (b *builder) spoolTwins(context.Context) (err error) {
	if !b.site.SEO.NoIndex {
		b.spool, err = output.OpenSpool(b.opt.Scratch)
	}
	return err
}

// aside is a page's Markdown form, put aside: packed, or the text itself.
type aside struct {
	piece  output.Piece // the digest of the text, then the form
	size   int32        // of the text, in bytes
	packed bool
}

// keepTwin puts a page's Markdown form aside if a list may hold it. What is packed stays so: most of it is not read again.
func (b *builder) keepTwin(r *result) (err error) {
	if b.spool == nil || !b.listed(r.page) {
		return nil
	}
	t := &r.sum.twin
	t.size = int32(r.twin.size())
	data := r.twin.data
	if p := r.twin.packed; p.Deflated != nil {
		t.packed, data = true, p.Deflated
	}
	if t.piece, err = b.spool.Add(r.twin.packed.SHA256[:]); err != nil {
		return err
	}
	t.piece.Size += len(data)
	_, err = b.spool.Add(data)
	return err
}

// twinSum is the digest of a form.
func (b *builder) twinSum(e *entry) (sum [sha256.Size]byte, err error) {
	head := e.twin.piece
	head.Size = sha256.Size
	data, err := b.spool.Read(head)
	copy(sum[:], data)
	return sum, err
}

// twinText reads a form back, without the line that names the list of all pages and without the author's words to agents:
// once is enough.
func (b *builder) twinText(e *entry) ([]byte, error) {
	data, err := b.spool.Read(e.twin.piece)
	if err != nil {
		return nil, err
	}
	sum, data := [sha256.Size]byte(data), data[sha256.Size:]
	if e.twin.packed {
		packed := output.Packed{Size: int64(e.twin.size), SHA256: sum, Deflated: data}
		data, err = packed.Unpack()
	}
	data = bytes.TrimSuffix(data, []byte(b.agentNote()))
	return bytes.Replace(data, []byte(b.pointer(e.page)), nil, 1), err
}

// pointer is the line of a page's Markdown form that names the list of all pages.
func (b *builder) pointer(p *site.Page) string {
	return markdown.Pointer(b.view(p.Path, p.Path).listAddress(b.twinIndex(p))) + "\n\n"
}
