package output

import (
	"fmt"
	"io"
	"os"
)

// Spool keeps contents on disk for as long as a build runs, so that they can be read again in another order. One goroutine adds; after
// Flush, any number may read.
type Spool struct {
	file *os.File
	end  int64  // of what was added
	buf  []byte // the last of it, not on disk yet
}

// spoolBuffer is how much goes to disk at once, in bytes.
const spoolBuffer = 1 << 18

// Piece is a content in a Spool.
type Piece struct {
	at   int64
	Size int
}

// OpenSpool makes a spool in a folder; "" is the system's folder for such files. Its file has no name: it goes with the process.
func OpenSpool(dir string) (*Spool, error) {
	f, err := os.CreateTemp(dir, "spool-")
	if err != nil {
		return nil, fmt.Errorf("open spool: %w", err)
	}
	_ = os.Remove(f.Name()) // where that is not possible, Close does it
	return &Spool{file: f}, nil
}

// Add keeps a content.
func (s *Spool) Add(data []byte) (Piece, error) {
	p := Piece{s.end, len(data)}
	s.buf = append(s.buf, data...)
	s.end += int64(len(data))
	if len(s.buf) < spoolBuffer {
		return p, nil
	}
	return p, s.Flush()
}

// Flush makes everything that was added readable.
func (s *Spool) Flush() error {
	if _, err := s.file.WriteAt(s.buf, s.end-int64(len(s.buf))); err != nil {
		return fmt.Errorf("write spool: %w", err)
	}
	s.buf = s.buf[:0]
	return nil
}

// Read returns a content; the bytes are the caller's.
func (s *Spool) Read(p Piece) ([]byte, error) {
	data := make([]byte, p.Size)
	if _, err := s.file.ReadAt(data, p.at); err != nil {
		return nil, fmt.Errorf("read spool: %w", err)
	}
	return data, nil
}

// stream reads a content, or several that were added one after the other, bit by bit.
func (s *Spool) stream(p Piece) io.Reader { return io.NewSectionReader(s.file, p.at, int64(p.Size)) }

// Close frees the disk. A nil Spool has nothing to free.
func (s *Spool) Close() {
	if s == nil {
		return
	}
	_ = s.file.Close()
	_ = os.Remove(s.file.Name()) // gone already but on systems that keep open files
}
