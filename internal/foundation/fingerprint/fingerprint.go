package fingerprint

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math"
	"reflect"
	"slices"
)

// Sum is a digest.
type Sum = [sha256.Size]byte

// Of returns the digest of values, in order. It panics if a value is not plain data, which is a bug that shows up
// at the first call.
func Of(values ...any) Sum {
	w := &writer{buf: make([]byte, 0, startSize)}
	for _, v := range values {
		switch v := v.(type) { // fast path for the types that most keys have
		case string:
			w.text(v)
		case Sum:
			w.number(uint64(len(v)))
			w.buf = append(w.buf, v[:]...)
		default:
			w.value(reflect.ValueOf(v))
		}
	}
	return w.sum()
}

// writer buffers small writes, because hashing larger blocks is faster.
type writer struct {
	to  hash.Hash // nil until the first flush
	buf []byte
}

// Sizes of the buffer in bytes: the initial size, enough for most keys, and the size at which it is flushed.
const (
	startSize  = 512
	bufferSize = 32 << 10
)

func (w *writer) flush() {
	if w.to == nil {
		w.to = sha256.New()
	}
	w.to.Write(w.buf) // writing to a hash never fails
	w.buf = w.buf[:0]
}

func (w *writer) sum() Sum {
	if w.to == nil {
		return sha256.Sum256(w.buf)
	}
	w.flush()
	return Sum(w.to.Sum(nil))
}

func (w *writer) number(n uint64) {
	if len(w.buf) > bufferSize {
		w.flush()
	}
	w.buf = binary.AppendUvarint(w.buf, n)
}

func (w *writer) text(s string) {
	w.number(uint64(len(s)))
	w.buf = append(w.buf, s...)
}

func (w *writer) value(v reflect.Value) {
	if !v.IsValid() {
		w.number(0)
		return
	}
	switch v.Kind() {
	case reflect.String:
		w.text(v.String())
	case reflect.Bool:
		w.flag(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.number(v.Uint())
	case reflect.Float32, reflect.Float64:
		w.number(math.Float64bits(v.Float()))
	case reflect.Struct:
		for i := range v.NumField() {
			w.value(v.Field(i))
		}
	default:
		w.composed(v)
	}
}

func (w *writer) flag(b bool) {
	if b {
		w.number(1)
	} else {
		w.number(0)
	}
}

func (w *writer) composed(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		w.flag(!v.IsNil())
		if v.IsNil() {
			return
		}
		if v.Kind() == reflect.Interface {
			w.text(v.Elem().Type().String())
		}
		w.value(v.Elem())
	case reflect.Slice, reflect.Array:
		w.number(uint64(v.Len()))
		if v.Type().Elem().Kind() == reflect.Uint8 && (v.Kind() == reflect.Slice || v.CanAddr()) {
			w.buf = append(w.buf, v.Bytes()...)
			return
		}
		for i := range v.Len() {
			w.value(v.Index(i))
		}
	case reflect.Map:
		w.dictionary(v)
	default:
		panic(fmt.Sprintf("fingerprint: %s is not plain data", v.Type()))
	}
}

// dictionary encodes a map as the sorted digests of its entries.
func (w *writer) dictionary(v reflect.Value) {
	w.number(uint64(v.Len()))
	all := make([]Sum, 0, v.Len())
	for each := v.MapRange(); each.Next(); {
		entry := &writer{}
		entry.value(each.Key())
		entry.value(each.Value())
		all = append(all, entry.sum())
	}
	slices.SortFunc(all, func(a, b Sum) int { return bytes.Compare(a[:], b[:]) })
	for _, s := range all {
		w.buf = append(w.buf, s[:]...)
		w.number(0)
	}
}
