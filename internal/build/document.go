package build

import (
	"crypto/sha256"

	"github.com/klauspost/compress/s2"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// This file remembers documents by the digests of their bytes, in one of two forms. Outputs that take files packed have them packed once
// for ever (decision 23). For the others that would be a third of the work of a first build, so they are kept in a form that is made in a
// tenth of the time; an archive that is made of them later packs them then, to the bytes that it would have had anyway.

// textType is the media type of documents as far as packing goes: all of them are text.
const textType = "text/plain; charset=utf-8"

// pack packs a document unless an earlier build did. When nobody wants it packed it is digested.
func (b *builder) pack(data []byte) payload {
	switch {
	case b.opt.Cache == nil && b.packing:
		return payload{data, output.Pack(data, textType)}
	case b.opt.Cache == nil:
		return payload{data, output.Digested(data)}
	case !b.packing:
		p := output.Digested(data)
		b.opt.Cache.Put(b.documentKey("plain", p.SHA256), tighten(data))
		return payload{data, p}
	}
	if known, ok := b.remembered(sha256.Sum256(data)); ok {
		return payload{data, known.packed}
	}
	return b.keepPacked(data)
}

// documentKey names a document in one form. The program is part of it: another one may pack otherwise.
func (b *builder) documentKey(form string, sum [sha256.Size]byte) [sha256.Size]byte {
	var in [2*sha256.Size + 6]byte
	n := copy(in[:], form)
	n += copy(in[n:], b.keys.program[:])
	n += copy(in[n:], sum[:])
	return sha256.Sum256(in[:n])
}

// keepPacked packs a document and remembers it.
func (b *builder) keepPacked(data []byte) payload {
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
	b.opt.Cache.Put(b.documentKey("packed", p.SHA256), w.out)
	return payload{data, p}
}

// remembered is a document that an earlier build made, by its digest, in the form that the output takes.
func (b *builder) remembered(sum [sha256.Size]byte) (out payload, ok bool) {
	if b.packing {
		if out, ok = b.findPacked(sum); ok {
			return out, true
		}
		if out, ok = b.findPlain(sum); ok {
			out = b.keepPacked(out.data)
		}
		return out, ok
	}
	if out, ok = b.findPlain(sum); ok {
		return out, true
	}
	return b.findPacked(sum)
}

// findPlain is a document that was made for an output that takes it as it is.
func (b *builder) findPlain(sum [sha256.Size]byte) (out payload, ok bool) {
	value, ok := b.opt.Cache.Get(b.documentKey("plain", sum))
	if !ok {
		return out, false
	}
	data, ok := loosen(value)
	if !ok {
		return out, false
	}
	out = payload{data, output.Digested(data)}
	return out, out.packed.SHA256 == sum
}

// findPacked is a document that was packed.
func (b *builder) findPacked(sum [sha256.Size]byte) (out payload, ok bool) {
	value, ok := b.opt.Cache.Get(b.documentKey("packed", sum))
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

// tighten is data for the cache: smaller, and made quickly.
func tighten(data []byte) []byte { return s2.Encode(nil, data) }

// loosenMax bounds what a record of the cache holds, in bytes: one that claims more is damaged.
const loosenMax = 256 << 20

// loosen gives back what tighten had; ok is false for what tighten did not make.
func loosen(value []byte) (data []byte, ok bool) {
	if n, err := s2.DecodedLen(value); err != nil || n > loosenMax {
		return nil, false
	}
	data, err := s2.Decode(nil, value)
	return data, err == nil
}
