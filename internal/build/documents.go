package build

import (
	"crypto/sha256"

	"github.com/klauspost/compress/s2"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// documents prepares the text of pages for the output, and caches it by digest, in one of two forms. For outputs that
// take compressed files, a document is compressed once and stored in that form (decision 23). For other outputs, this
// compression would take a third of the time of a first build, so documents are stored with a fast codec that takes a
// tenth of that. A later build of an archive then compresses them to the same bytes.
type documents struct {
	cache   Cache    // nil = nothing is cached
	program [32]byte // Options.Program
	packing bool     // the output takes compressed files, so the goroutine that creates a document compresses it
	// holds reports whether the output already has a file with the given digest; nil = never
	holds func(file string, sum [sha256.Size]byte) bool
}

// payload is the content of a file: plain, compressed, or both.
type payload struct {
	data   []byte
	packed *output.Packed
	held   bool // the output already has the file: only its size and digest are set
}

func (p payload) size() int {
	if p.packed != nil {
		return int(p.packed.Size)
	}
	return len(p.data)
}

// textType is the media type that is passed to output.Pack for all documents, because all of them are text.
const textType = "text/plain; charset=utf-8"

// pack compresses a document, or loads it from the cache. If the output takes plain files, it only computes the
// digest.
func (d *documents) pack(data []byte) payload {
	switch {
	case d.cache == nil && d.packing:
		return payload{data: data, packed: output.Pack(data, textType)}
	case d.cache == nil:
		return payload{data: data, packed: output.Digested(data)}
	case !d.packing:
		p := output.Digested(data)
		d.cache.Put(d.key("plain", p.SHA256), compress(data))
		return payload{data: data, packed: p}
	}
	if known, ok := d.load(sha256.Sum256(data)); ok {
		return payload{data: data, packed: known.packed}
	}
	return d.storePacked(data)
}

// key returns the cache key of a document in one form. It includes the program, because another version may
// compress differently.
func (d *documents) key(form string, sum [sha256.Size]byte) [sha256.Size]byte {
	var in [2*sha256.Size + 6]byte
	n := copy(in[:], form)
	n += copy(in[n:], d.program[:])
	n += copy(in[n:], sum[:])
	return sha256.Sum256(in[:n])
}

// storePacked compresses a document and stores it in the cache.
func (d *documents) storePacked(data []byte) payload {
	p := output.Pack(data, textType)
	w := &recordWriter{out: make([]byte, 0, len(p.Deflated)+64)}
	w.number(int(p.Size))
	w.number(int(p.CRC32))
	w.flags(p.Deflated != nil)
	if p.Deflated != nil {
		w.bytes(p.Deflated)
	} else {
		w.bytes(data)
	}
	d.cache.Put(d.key("packed", p.SHA256), w.out)
	return payload{data: data, packed: p}
}

// loadFor is like load, for a document of the given size that is written to only one output file. If the output already
// has that file, loadFor does not load the document.
func (d *documents) loadFor(file string, sum [sha256.Size]byte, size int) (out payload, ok bool) {
	if d.held(file, sum) {
		return payload{packed: &output.Packed{Size: int64(size), SHA256: sum}, held: true}, true
	}
	return d.load(sum)
}

// held reports whether the output already has a file with the given digest.
func (d *documents) held(file string, sum [sha256.Size]byte) bool {
	return d.holds != nil && d.holds(file, sum)
}

// load returns a document from an earlier build by its digest, in the form that the output takes.
func (d *documents) load(sum [sha256.Size]byte) (out payload, ok bool) {
	if d.packing {
		if out, ok = d.loadPacked(sum); ok {
			return out, true
		}
		if out, ok = d.loadPlain(sum); ok {
			out = d.storePacked(out.data)
		}
		return out, ok
	}
	if out, ok = d.loadPlain(sum); ok {
		return out, true
	}
	return d.loadPacked(sum)
}

// loadPlain loads a document that was stored uncompressed for the output.
func (d *documents) loadPlain(sum [sha256.Size]byte) (out payload, ok bool) {
	value, ok := d.cache.Get(d.key("plain", sum))
	if !ok {
		return out, false
	}
	data, ok := decompress(value)
	if !ok {
		return out, false
	}
	out = payload{data: data, packed: output.Digested(data)}
	return out, out.packed.SHA256 == sum
}

// loadPacked loads a document that was stored compressed.
func (d *documents) loadPacked(sum [sha256.Size]byte) (out payload, ok bool) {
	value, ok := d.cache.Get(d.key("packed", sum))
	if !ok {
		return out, false
	}
	r := &recordReader{in: value}
	out.packed = &output.Packed{SHA256: sum, Size: int64(r.number()), CRC32: uint32(r.number())}
	deflated := false
	if r.flags(&deflated); deflated {
		out.packed.Deflated = r.bytes()
	} else {
		out.data = r.bytes()
	}
	return out, r.end() && (deflated || int64(len(out.data)) == out.packed.Size)
}

// compress packs data for the cache, favouring speed over size.
func compress(data []byte) []byte { return s2.Encode(nil, data) }

// decompressMax limits the size of a cache record in bytes. A record that claims more is damaged.
const decompressMax = 256 << 20

// decompress reverses compress; ok is false for data that compress did not write.
func decompress(value []byte) (data []byte, ok bool) {
	if n, err := s2.DecodedLen(value); err != nil || n > decompressMax {
		return nil, false
	}
	data, err := s2.Decode(nil, value)
	return data, err == nil
}
