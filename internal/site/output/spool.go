package output

import (
	"fmt"
	"io"
	"os"
)

// Spool stores data on disk during a build, so that it can be read again in another order. Only one goroutine may add
// data; after Flush, any number of goroutines may read it.
type Spool struct {
	file *os.File
	end  int64  // total size of the added data
	buf  []byte // data that has not been written to disk yet
}

// spoolBuffer is the size of writes to disk, in bytes.
const spoolBuffer = 1 << 18

// Piece refers to data in a Spool.
type Piece struct {
	at   int64
	Size int
}

// OpenSpool creates a spool in a folder; "" means the system's temporary folder. The file is unlinked at once, so it
// disappears with the process.
func OpenSpool(dir string) (*Spool, error) {
	f, err := os.CreateTemp(dir, "spool-")
	if err != nil {
		return nil, fmt.Errorf("open spool: %w", err)
	}
	_ = os.Remove(f.Name()) // on systems that cannot remove open files, Close removes it
	return &Spool{file: f}, nil
}

// Add appends data.
func (s *Spool) Add(data []byte) (Piece, error) {
	p := Piece{s.end, len(data)}
	s.buf = append(s.buf, data...)
	s.end += int64(len(data))
	if len(s.buf) < spoolBuffer {
		return p, nil
	}
	return p, s.Flush()
}

// Flush makes everything added so far readable.
func (s *Spool) Flush() error {
	if _, err := s.file.WriteAt(s.buf, s.end-int64(len(s.buf))); err != nil {
		return fmt.Errorf("write spool: %w", err)
	}
	s.buf = s.buf[:0]
	return nil
}

// Read returns the data of a piece. The caller owns the bytes.
func (s *Spool) Read(p Piece) ([]byte, error) {
	data := make([]byte, p.Size)
	if _, err := s.file.ReadAt(data, p.at); err != nil {
		return nil, fmt.Errorf("read spool: %w", err)
	}
	return data, nil
}

// stream returns a reader for a piece, or for several pieces that were added consecutively.
func (s *Spool) stream(p Piece) io.Reader { return io.NewSectionReader(s.file, p.at, int64(p.Size)) }

// Close removes the file. It does nothing for a nil Spool.
func (s *Spool) Close() {
	if s == nil {
		return
	}
	_ = s.file.Close()
	_ = os.Remove(s.file.Name()) // already removed, except on systems that cannot remove open files
}
