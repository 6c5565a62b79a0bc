package output

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
	"sync"

	"github.com/klauspost/compress/flate"
)

// finalBlock ends a stream of deflated pieces: an empty block with the final bit set.
const finalBlock = "\x03\x00"

var errChanged = errors.New("unpack file: content does not match its digest")

// inflaters are pooled because their tables are large.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(strings.NewReader(finalBlock)) }}

// Size returns the size of the file's content, in bytes.
func (f File) Size() int64 {
	if f.Packed != nil {
		return f.Packed.Size
	}
	return int64(len(f.Data))
}

// Digest returns the SHA-256 of the file's content.
func (f File) Digest() [sha256.Size]byte {
	if f.Packed != nil {
		return f.Packed.SHA256
	}
	return sha256.Sum256(f.Data)
}

// Bytes returns the file's content. If only the packed form is available, it unpacks and verifies the content.
func (f File) Bytes() ([]byte, error) {
	if f.Data != nil || f.Packed == nil || f.Packed.Size == 0 {
		return f.Data, nil
	}
	return f.Packed.Unpack()
}

// Unpack inflates the content and checks it against its size and digest.
func (p *Packed) Unpack() ([]byte, error) {
	r := p.open()
	defer func() { _ = r.Close() }()
	out := make([]byte, p.Size)
	if _, err := io.ReadFull(r, out); err != nil {
		return nil, fmt.Errorf("unpack file: %w", err)
	}
	if [sha256.Size]byte(r.hash.Sum(nil)) != p.SHA256 {
		return nil, errChanged
	}
	return out, nil
}

// Open returns the file's content as a stream, for files that are too large for memory. If only the packed form is
// available and the content does not match its digest, the stream ends with an error.
func (f File) Open() io.ReadCloser {
	if f.Data != nil || f.Packed == nil || f.Packed.Size == 0 {
		return io.NopCloser(bytes.NewReader(f.Data))
	}
	return f.Packed.open()
}

func (p *Packed) open() *unpacking {
	from := io.MultiReader(bytes.NewReader(p.Deflated), strings.NewReader(finalBlock))
	return &unpacking{packed: p, ReadCloser: Inflate(from), hash: sha256.New(), left: p.Size}
}

// unpacking is a stream that unpacks packed content.
type unpacking struct {
	io.ReadCloser // inflates the data
	packed        *Packed
	hash          hash.Hash
	left          int64 // remaining bytes
}

func (u *unpacking) Read(b []byte) (int, error) {
	if u.left == 0 {
		return 0, u.end()
	}
	n, err := u.ReadCloser.Read(b[:min(int64(len(b)), u.left)])
	u.hash.Write(b[:n])
	if u.left -= int64(n); errors.Is(err, io.EOF) {
		if err = nil; u.left > 0 {
			err = io.ErrUnexpectedEOF
		}
	}
	return n, err
}

// end verifies the size and the digest.
func (u *unpacking) end() error {
	if [sha256.Size]byte(u.hash.Sum(nil)) != u.packed.SHA256 {
		return errChanged
	}
	return io.EOF
}

// Inflate returns a reader that decompresses raw deflate data, as in zip archives.
func Inflate(r io.Reader) io.ReadCloser {
	in := inflaters.Get().(io.ReadCloser)
	if err := in.(flate.Resetter).Reset(r, nil); err != nil { // never fails
		panic(fmt.Sprintf("start inflate: %v", err))
	}
	return &inflating{in}
}

// inflating returns its reader to the pool when it is closed.
type inflating struct{ in io.ReadCloser }

func (i *inflating) Read(p []byte) (int, error) {
	if i.in == nil {
		return 0, io.ErrClosedPipe
	}
	return i.in.Read(p)
}

func (i *inflating) Close() error {
	if i.in != nil {
		inflaters.Put(i.in)
		i.in = nil
	}
	return nil
}

// WithoutFinalBlock converts the data of an archive entry to the form of Packed.Deflated. ok is false if the data does
// not end like entries that this package writes.
func WithoutFinalBlock(data []byte) (deflated []byte, ok bool) {
	return bytes.CutSuffix(data, []byte(finalBlock))
}
