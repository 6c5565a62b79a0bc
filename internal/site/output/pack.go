package output

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash/crc32"
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

// packLevel is part of the bytes, so it is fixed. On pages, level 6 takes twice the time for 5 % fewer bytes.
const packLevel = 3

// packBlock is how much of a large content is deflated in one piece, in bytes. It is part of the bytes too: pieces know nothing of each other.
const packBlock = 1 << 18

// packFrom is the least size worth deflating.
const packFrom = 64

// deflaters are kept for reuse: their tables are large.
var deflaters = sync.Pool{New: func() any {
	d := &deflater{}
	var err error
	if d.w, err = flate.NewWriter(&d.out, packLevel); err != nil { // only a constant of ours could cause it
		panic(fmt.Sprintf("start deflate: %v", err))
	}
	return d
}}

type deflater struct {
	w   *flate.Writer
	out bytes.Buffer
}

// deflate packs one piece; the result is valid until the next call.
func (d *deflater) deflate(piece []byte) []byte {
	d.out.Reset()
	d.w.Reset(&d.out)
	_, err := d.w.Write(piece)
	if err == nil {
		err = d.w.Flush()
	}
	if err != nil { // a buffer takes everything
		panic(fmt.Sprintf("deflate: %v", err))
	}
	return d.out.Bytes()
}

// Pack packs a content. Contents of a media type that is packed already are only digested. A large content is packed by several
// goroutines; the bytes do not depend on how many.
func Pack(data []byte, contentType string) *Packed {
	if len(data) > packBlock && !packed(contentType) {
		return packLarge(data)
	}
	p := Digested(data)
	if len(data) < packFrom || packed(contentType) {
		return p
	}
	d := deflaters.Get().(*deflater)
	if out := d.deflate(data); len(out) < len(data) {
		p.Deflated = bytes.Clone(out)
	}
	deflaters.Put(d)
	return p
}

// Digested is a content's packed form but for the deflating, for outputs that take files as they are.
func Digested(data []byte) *Packed {
	return &Packed{Size: int64(len(data)), SHA256: sha256.Sum256(data), CRC32: crc32.ChecksumIEEE(data)}
}

// Gzip is the content as a gzip file of its own. There must be a deflated form.
func (p *Packed) Gzip() []byte {
	out := make([]byte, 0, len(gzipHead)+len(p.Deflated)+len(finalBlock)+8)
	out = append(append(append(out, gzipHead...), p.Deflated...), finalBlock...)
	return append32(out, p.CRC32, uint32(p.Size)) // the size modulo 2³², as the format has it
}

// pack is the file's packed form, made now if nobody did before.
func (f File) pack() *Packed {
	if f.Packed == nil {
		return Pack(f.Data, f.ContentType)
	}
	return f.Packed
}

// Packing is what a sink implements that may want files packed. A sink without it does not: digests are all that is made for it.
type Packing interface{ WantsPacked() bool }

// WantsPacked tells whether a sink takes files packed, so that they are worth packing before they come to it.
func WantsPacked(s Sink) bool {
	p, ok := s.(Packing)
	return ok && p.WantsPacked()
}
