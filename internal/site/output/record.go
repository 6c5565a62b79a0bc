package output

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// records holds a Ledger's records of files in runs. Each run is sorted by path. All runs except the last one are on
// disk, so that the memory use does not grow with the tree. For a small tree, there is only the last run.
type records struct {
	scratch string   // folder for the runs; "" = the system's temporary folder
	run     []byte   // the last run: concatenated records
	starts  []uint32 // offsets of the records in run; sort orders them by path
	spool   *Spool   // the earlier runs; nil if there are none
	runs    []Piece
	types   []string
	byType  map[string]uint16
	count   int
}

// record describes a file. It is encoded as the length of the path, followed by path, digest, size and kind.
type record struct {
	path   []byte // valid until the next record is read
	sha256 [sha256.Size]byte
	size   int64
	kind   uint16 // index in types
}

const (
	runSize    = 1 << 20 // bytes; some ten thousand files fit in
	recordTail = sha256.Size + 8 + 2
)

// add adds a file. Its path must be valid.
func (r *records) add(f File) error {
	kind, ok := r.byType[f.ContentType]
	if !ok {
		if len(r.types) > math.MaxUint16 {
			return errors.New("put file: the tree has too many media types")
		}
		kind = uint16(len(r.types))
		r.types, r.byType[f.ContentType] = append(r.types, f.ContentType), kind
	}
	r.starts = append(r.starts, uint32(len(r.run)))
	sum := f.Digest()
	r.run = binary.LittleEndian.AppendUint16(r.run, uint16(len(f.Path)))
	r.run = append(append(r.run, f.Path...), sum[:]...)
	r.run = binary.LittleEndian.AppendUint64(r.run, uint64(f.Size()))
	r.run = binary.LittleEndian.AppendUint16(r.run, kind)
	r.count++
	if len(r.run) < runSize {
		return nil
	}
	return r.spill()
}

// pathAt returns the path of the record that begins at start in the last run.
func (r *records) pathAt(start uint32) []byte {
	at := r.run[start:]
	return at[2 : 2+int(binary.LittleEndian.Uint16(at))]
}

func (r *records) sort() {
	slices.SortFunc(r.starts, func(a, b uint32) int { return bytes.Compare(r.pathAt(a), r.pathAt(b)) })
}

// spill moves the last run to disk.
func (r *records) spill() (err error) {
	if len(r.run) == 0 {
		return nil
	}
	if r.spool == nil {
		if r.spool, err = OpenSpool(r.scratch); err != nil {
			return err
		}
	}
	r.sort()
	r.runs = append(r.runs, Piece{r.spool.end, len(r.run)})
	for _, start := range r.starts {
		if _, err := r.spool.Add(r.run[start:][:2+len(r.pathAt(start))+recordTail]); err != nil {
			return err
		}
	}
	r.run, r.starts = r.run[:0], r.starts[:0]
	return r.spool.Flush()
}

// each visits all files, sorted by path.
func (r *records) each(visit func(record)) error {
	if r.spool == nil {
		r.sort()
		for _, start := range r.starts {
			path := r.pathAt(start)
			visit(decodeRecord(path, r.run[int(start)+2+len(path):]))
		}
		return nil
	}
	if err := r.spill(); err != nil {
		return err
	}
	return r.merge(visit)
}

// merge visits the files of all runs, which are on disk.
func (r *records) merge(visit func(record)) error {
	var list []*recordReader // sorted by the path of the current record
	for _, p := range r.runs {
		from := &recordReader{from: bufio.NewReaderSize(r.spool.stream(p), 1<<14)}
		if err := from.next(); err != nil {
			return fmt.Errorf("read list of files: %w", err)
		}
		list = append(list, from)
	}
	slices.SortFunc(list, func(a, b *recordReader) int { return bytes.Compare(a.path, b.path) })
	for len(list) > 0 {
		visit(list[0].record)
		switch err := list[0].next(); {
		case errors.Is(err, io.EOF):
			list = list[1:]
		case err != nil:
			return fmt.Errorf("read list of files: %w", err)
		}
		for i := 1; i < len(list) && bytes.Compare(list[i-1].path, list[i].path) > 0; i++ { // usually it is in order
			list[i-1], list[i] = list[i], list[i-1]
		}
	}
	return nil
}

// recordReader reads a run.
type recordReader struct {
	record
	from *bufio.Reader
	buf  []byte
}

// next reads a record. io.EOF means that there are no more records.
func (r *recordReader) next() error {
	var head [2]byte
	if _, err := io.ReadFull(r.from, head[:]); err != nil {
		return err
	}
	n := int(binary.LittleEndian.Uint16(head[:]))
	r.buf = slices.Grow(r.buf[:0], n+recordTail)[:n+recordTail]
	if _, err := io.ReadFull(r.from, r.buf); err != nil {
		return io.ErrUnexpectedEOF
	}
	r.record = decodeRecord(r.buf[:n], r.buf[n:])
	return nil
}

func decodeRecord(path, tail []byte) record {
	size := binary.LittleEndian.Uint64(tail[sha256.Size:])
	return record{path, [sha256.Size]byte(tail), int64(size), binary.LittleEndian.Uint16(tail[sha256.Size+8:])}
}
