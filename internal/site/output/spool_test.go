package output

import (
	"os"
	"strings"
	"testing"
)

func TestSpoolReturnsItsContentAndRemovesItsFile(t *testing.T) {
	dir := t.TempDir()
	s, err := OpenSpool(dir)
	if err != nil {
		t.Fatal(err)
	}
	var pieces []Piece
	large := strings.Repeat("x", spoolBuffer)
	for _, text := range []string{"one", "", "three", large, "five"} {
		p, err := s.Add([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		pieces = append(pieces, p)
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int]string{2: "three", 0: "one", 1: "", 4: "five", 3: large} {
		if got, err := s.Read(pieces[i]); err != nil || string(got) != want {
			t.Errorf("piece %d: %d bytes, %v", i, len(got), err)
		}
	}
	s.Close()
	(*Spool)(nil).Close()
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%v", left)
	}
}
