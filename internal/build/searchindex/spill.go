package searchindex

import (
	"fmt"
	"os"
)

// spill keeps lists of terms on disk while an index is made. Its file has no name: it goes with the process.
type spill struct {
	file *os.File
	end  int64
}

func openSpill(dir string) (*spill, error) {
	f, err := os.CreateTemp(dir, "terms-")
	if err != nil {
		return nil, fmt.Errorf("open spill of search terms: %w", err)
	}
	_ = os.Remove(f.Name()) // where that is not possible, close does it
	return &spill{file: f}, nil
}

// add appends data and returns where it is.
func (s *spill) add(data []byte) (at int64, err error) {
	if _, err := s.file.WriteAt(data, s.end); err != nil {
		return 0, fmt.Errorf("spill search terms: %w", err)
	}
	at = s.end
	s.end += int64(len(data))
	return at, nil
}

// close frees the disk. A nil spill has nothing to free.
func (s *spill) close() {
	if s == nil {
		return
	}
	_ = s.file.Close()
	_ = os.Remove(s.file.Name()) // gone already but on systems that keep open files
}
