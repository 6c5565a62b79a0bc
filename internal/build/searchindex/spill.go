package searchindex

import (
	"fmt"
	"os"
)

// spill stores lists of terms on disk while an index is built. The name of its file is removed at once, so the disk
// space is freed when the process exits.
type spill struct {
	file *os.File
	end  int64
}

func openSpill(dir string) (*spill, error) {
	f, err := os.CreateTemp(dir, "terms-")
	if err != nil {
		return nil, fmt.Errorf("open spill of search terms: %w", err)
	}
	_ = os.Remove(f.Name()) // on systems where that fails, close removes it
	return &spill{file: f}, nil
}

// add appends data and returns its offset.
func (s *spill) add(data []byte) (at int64, err error) {
	if _, err := s.file.WriteAt(data, s.end); err != nil {
		return 0, fmt.Errorf("spill search terms: %w", err)
	}
	at = s.end
	s.end += int64(len(data))
	return at, nil
}

// close frees the disk space. It may be called on nil.
func (s *spill) close() {
	if s == nil {
		return
	}
	_ = s.file.Close()
	_ = os.Remove(s.file.Name()) // already removed, except on systems that cannot remove open files
}
