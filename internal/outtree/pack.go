package outtree

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
)

// Packed is a file's content as every kind of output needs it: digest, checksum and the deflated form. It is made once, by whoever makes
// the file and in parallel with others, and shared by both kinds of archive, by the store of published sites and by the cache of builds.
type Packed struct {
	Size   int64
	SHA256 [sha256.Size]byte
	CRC32  uint32 // IEEE, as gzip and zip count it
	// Deflated is raw deflate data that refers to nothing before it, ends at a whole byte and has no final block: streams can be put
	// together from several. nil when deflating would not make the content smaller; then the file has Data.
	Deflated []byte
}

// packLevel is part of the bytes, so it is fixed.
const packLevel = 6

// packBlock is how much of a large content is deflated in one piece, in bytes. It is part of the bytes too: pieces know nothing of each other.
const packBlock = 1 << 18

// packFrom is the least size worth deflating.
const packFrom = 64

var deflaters = sync.Pool{New: func() any {
	w, err := flate.NewWriter(io.Discard, packLevel)
	if err != nil { // only a constant of ours could cause it
		panic(fmt.Sprintf("start deflate: %v", err))
	}
	return w
}}

// Pack packs a content. Contents of a media type that is packed already are only digested.
func Pack(data []byte, contentType string) *Packed {
	p := &Packed{Size: int64(len(data)), SHA256: sha256.Sum256(data), CRC32: crc32.ChecksumIEEE(data)}
	if len(data) < packFrom || packed(contentType) {
		return p
	}
	var out bytes.Buffer
	out.Grow(len(data)/3 + 64)
	for at := 0; at < len(data); at += packBlock {
		deflate(&out, data[at:min(at+packBlock, len(data))])
	}
	if out.Len() < len(data) {
		p.Deflated = out.Bytes()
	}
	return p
}

// deflate appends one piece.
func deflate(out *bytes.Buffer, piece []byte) {
	w := deflaters.Get().(*flate.Writer)
	w.Reset(out)
	_, err := w.Write(piece)
	if err == nil {
		err = w.Flush()
	}
	if err != nil { // a buffer takes everything
		panic(fmt.Sprintf("deflate: %v", err))
	}
	deflaters.Put(w)
}

// pack is the file's packed form, made now if nobody did before.
func (f File) pack() *Packed {
	if f.Packed == nil {
		return Pack(f.Data, f.ContentType)
	}
	return f.Packed
}

// Bytes is the file's content. When only the packed form is at hand, it is unpacked and checked.
func (f File) Bytes() ([]byte, error) {
	if f.Data != nil || f.Packed == nil || f.Packed.Size == 0 {
		return f.Data, nil
	}
	return f.Packed.Unpack()
}

// finalBlock ends a stream of deflated pieces: an empty block that says it is the last.
const finalBlock = "\x03\x00"

// Unpack inflates the content and checks it against its size and digest.
func (p *Packed) Unpack() ([]byte, error) {
	out := make([]byte, p.Size)
	r := flate.NewReader(io.MultiReader(bytes.NewReader(p.Deflated), bytes.NewReader([]byte(finalBlock))))
	if _, err := io.ReadFull(r, out); err != nil {
		return nil, fmt.Errorf("unpack file: %w", err)
	}
	if sha256.Sum256(out) != p.SHA256 {
		return nil, fmt.Errorf("unpack file: the content is not what it was")
	}
	return out, nil
}
