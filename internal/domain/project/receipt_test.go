package project_test

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
)

func TestReceiptKnowsItsLastLineAndState(t *testing.T) {
	for quotation, want := range map[string]int{"const Port = 8080": 4, "\nconst Port = 8080\n}\n": 5, "a\n\nb": 6} {
		if got := (project.Receipt{Quotation: quotation, Line: 4}).LastLine(); got != want {
			t.Errorf("%q: up to line %d, want %d", quotation, got, want)
		}
	}
	for _, state := range []string{"", "current", "stale"} {
		if got, err := project.ParseReceiptState(state); err != nil || string(got) != state {
			t.Errorf("%q: %q, %v", state, got, err)
		}
	}
	if _, err := project.ParseReceiptState("old"); err == nil {
		t.Error("an unknown state is accepted")
	}
}

func TestFindReturnsTheNearestQuotation(t *testing.T) {
	file := []byte("\npackage api\r\n\n\tconst Port = 8080  \n}\nconst Port = 8080\n")
	for _, c := range []struct {
		quotation string
		near      int
		want      int
	}{
		{"const Port = 8080", 1, 4}, {"const Port = 8080", 6, 6}, {"Port = 8080", 4, 4}, {"\nconst Port = 8080\n}\n", 0, 4},
		{"package api\n\nconst Port = 8080", 2, 2}, {"const Port = 9090", 4, 0}, {"", 1, 0}, {"\n\n", 1, 0},
		{"}\nconst Port", 5, 0}, // several lines must match as whole lines
	} {
		if got := (project.Receipt{Quotation: c.quotation, Line: c.near}).Find(file); got != c.want {
			t.Errorf("%q near %d: line %d, want %d", c.quotation, c.near, got, c.want)
		}
	}
	if (project.Receipt{Quotation: "a"}).Find([]byte("a\xff")) != 0 {
		t.Error("a binary file contains the quotation")
	}
}
