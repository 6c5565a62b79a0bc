package diag

import (
	"encoding/json"
	"testing"
)

func TestLocateCountsCharactersNotBytes(t *testing.T) {
	src := []byte("a\nγδ x\n")
	for _, c := range []struct{ offset, line, column int }{
		{0, 1, 1}, {1, 1, 2}, {2, 2, 1}, {6, 2, 3}, {99, 3, 1}, {-1, 1, 1},
	} {
		if l, col := Locate(src, c.offset); l != c.line || col != c.column {
			t.Errorf("Locate(%d) = %d:%d, want %d:%d", c.offset, l, col, c.line, c.column)
		}
	}
}

func TestListSortsByPositionAndReportsErrors(t *testing.T) {
	var l List
	l.Warnf(Pos{"b.mdx", 2, 1}, "w", "second")
	if l.HasErrors() {
		t.Error("a warning counted as an error")
	}
	l.Errorf(Pos{"a.mdx", 9, 3}, "e", "first %d", 1)
	l.Hint("try this")
	l.Sort()
	if !l.HasErrors() || l[0].File != "a.mdx" || l[0].Hint != "try this" {
		t.Errorf("sorted list = %+v", l)
	}
	if got := l[0].String(); got != "a.mdx:9:3: error: first 1 [e]" {
		t.Errorf("String = %q", got)
	}
}

func TestJSONKeepsEveryField(t *testing.T) {
	b, err := json.Marshal(Diagnostic{File: "a", Severity: Warning, Code: "c", Message: "m"})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"file":"a","line":0,"column":0,"severity":"warning","code":"c","message":"m","hint":""}`
	if string(b) != want {
		t.Errorf("got %s want %s", b, want)
	}
}
