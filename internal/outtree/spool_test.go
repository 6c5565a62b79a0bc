package outtree

import (
	"os"
	"testing"
)

func TestASpoolGivesBackWhatItKeptAndLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	s, err := OpenSpool(dir)
	if err != nil {
		t.Fatal(err)
	}
	var pieces []Piece
	for _, text := range []string{"one", "", "three"} {
		p, err := s.Add([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		pieces = append(pieces, p)
	}
	for i, want := range map[int]string{2: "three", 0: "one", 1: ""} {
		if got, err := s.Read(pieces[i]); err != nil || string(got) != want {
			t.Errorf("%q %v", got, err)
		}
	}
	s.Close()
	(*Spool)(nil).Close()
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%v", left)
	}
}
