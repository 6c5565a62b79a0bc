package build

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// recordWriter writes a sequence of values in a format that recordReader can split again.
type recordWriter struct{ out []byte }

func (w *recordWriter) number(n int)   { w.out = binary.AppendUvarint(w.out, uint64(n)) }
func (w *recordWriter) fixed(n uint64) { w.out = binary.LittleEndian.AppendUint64(w.out, n) }
func (w *recordWriter) sum(s [32]byte) { w.out = append(w.out, s[:]...) }
func (w *recordWriter) bytes(b []byte) { w.number(len(b)); w.out = append(w.out, b...) }
func (w *recordWriter) text(s string)  { w.number(len(s)); w.out = append(w.out, s...) }
func (w *recordWriter) pos(p diag.Pos) { w.text(p.File); w.number(p.Line); w.number(p.Column) }
func (w *recordWriter) flags(all ...bool) {
	var b byte
	for i, f := range all {
		if f {
			b |= 1 << i
		}
	}
	w.out = append(w.out, b)
}

func (w *recordWriter) findings(list diag.List) {
	w.number(len(list))
	for _, d := range list {
		w.pos(diag.Pos{File: d.File, Line: d.Line, Column: d.Column})
		for _, s := range []string{string(d.Severity), d.Code, d.Message, d.Hint} {
			w.text(s)
		}
	}
}

// recordReader reads the output of a recordWriter. Records come from disk, so they may be damaged: after the first
// invalid value, it returns zero values and keeps the error. Byte slices share the record's memory; strings do not.
type recordReader struct {
	in  []byte
	err error
}

var errRecord = errors.New("cache record is damaged")

func (r *recordReader) take(n int) []byte {
	if n < 0 || n > len(r.in) {
		r.in, r.err = nil, errRecord
		return nil
	}
	out := r.in[:n:n]
	r.in = r.in[n:]
	return out
}

func (r *recordReader) number() int {
	n, size := binary.Uvarint(r.in)
	if size <= 0 || n > math.MaxInt64 {
		r.in, r.err = nil, errRecord
		return 0
	}
	r.in = r.in[size:]
	return int(n)
}

// count reads the number of items that follow. Each of them takes at least one byte.
func (r *recordReader) count() int {
	n := r.number()
	if n > len(r.in) {
		r.in, r.err = nil, errRecord
		return 0
	}
	return n
}

func (r *recordReader) fixed() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (r *recordReader) sum() (s [32]byte) {
	copy(s[:], r.take(32))
	return s
}

func (r *recordReader) bytes() []byte { return r.take(r.number()) }
func (r *recordReader) text() string  { return string(r.bytes()) }

func (r *recordReader) pos() (p diag.Pos) {
	p.File, p.Line, p.Column = r.text(), r.number(), r.number()
	return p
}

// flags reads the bits of one byte, lowest first.
func (r *recordReader) flags(to ...*bool) {
	b := r.take(1)
	for i, f := range to {
		*f = b != nil && b[0]>>i&1 == 1
	}
}

func (r *recordReader) findings() (list diag.List) {
	for range r.count() {
		p := r.pos()
		list = append(list, diag.Diagnostic{
			File: p.File, Line: p.Line, Column: p.Column, Severity: diag.Severity(r.text()), Code: r.text(),
			Message: r.text(), Hint: r.text(),
		})
	}
	return list
}

// end reports whether the record was valid and is fully read.
func (r *recordReader) end() bool { return r.err == nil && len(r.in) == 0 }
