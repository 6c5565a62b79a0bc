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

// finalBlock ends a stream of deflated pieces: an empty block that says it is the last.
const finalBlock = "\x03\x00"

var errChanged = errors.New("unpack file: the content is not what it was")

// inflaters are kept for reuse: their tables are large.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(strings.NewReader(finalBlock)) }}

// Size is the size of the file's content, in bytes.
func (f File) Size() int64 {
	if f.Packed != nil {
		return f.Packed.Size
	}
	return int64(len(f.Data))
}

// Digest is the SHA-256 of the file's content.
func (f File) Digest() [sha256.Size]byte {
	if f.Packed != nil {
		return f.Packed.SHA256
	}
	return sha256.Sum256(f.Data)
}

// Bytes is the file's content. When only the packed form is at hand, it is unpacked and checked.
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

// Open reads the file's content as a stream, for contents too large to hold. When only the packed form is at hand, the stream ends in an
// error if it is not what it was.
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

// unpacking is a content that is being read.
type unpacking struct {
	io.ReadCloser // inflates
	packed        *Packed
	hash          hash.Hash
	left          int64 // bytes to come
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

// end says whether all was as it should be.
func (u *unpacking) end() error {
	if [sha256.Size]byte(u.hash.Sum(nil)) != u.packed.SHA256 {
		return errChanged
	}
	return io.EOF
}

// Inflate reads raw deflate data, as zip archives have it.
func Inflate(r io.Reader) io.ReadCloser {
	in := inflaters.Get().(io.ReadCloser)
	if err := in.(flate.Resetter).Reset(r, nil); err != nil { // there is nothing that could fail
		panic(fmt.Sprintf("start inflate: %v", err))
	}
	return &inflating{in}
}

// inflating gives its reader back when it is closed.
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
