package jsontree

import (
	"strings"
	"testing"
)

// each calls f for a value and all values below it.
func each(v *Value, f func(*Value)) {
	f(v)
	for _, item := range v.Items {
		each(item, f)
	}
	for _, m := range v.Members {
		each(m.Value, f)
	}
}

// checkSpans checks that the text at each value's span parses to that value, no matter what surrounds it.
func checkSpans(t *testing.T, src string) {
	t.Helper()
	s, err := ParseSource("f.json", src, limits)
	if err != nil {
		return
	}
	if s.Text != src {
		t.Fatalf("the text of %q is %q", src, s.Text)
	}
	n := 0
	each(s.Root, func(v *Value) {
		if n++; n > 200 {
			return
		}
		start, end := s.Span(v)
		if start < 0 || end > len(src) || start >= end {
			t.Fatalf("%q: a value at bytes %d to %d", src, start, end)
		}
		again, err := Parse("f.json", src[start:end], limits)
		if err != nil || again.Root.JSON() != v.JSON() {
			t.Fatalf("%q: %q at bytes %d to %d is not %s: %v", src, src[start:end], start, end, v.JSON(), err)
		}
	})
}

func TestValuesHaveTheirSourcePosition(t *testing.T) {
	for _, src := range []string{
		`{"a": [1, "é\"]", {"b": true}], "c": null}`, "\ufeff{\"ü\": 1 , \"x\":2}",
		"[\n  1, // one, ]\n  /* two */ 2,\n]", `[-1.5e3,"a",{}]`, "[[],\r\n\t[ ] ]", `"x"`, "12",
	} {
		checkSpans(t, src)
	}
}

func TestIndentBlankAndEOLDescribeTheSource(t *testing.T) {
	s, err := ParseSource("f.json", "{\r\n\t\"a\": [ 1 ], // x\r\n\t\"b\": 2\r\n}", limits)
	if err != nil {
		t.Fatal(err)
	}
	b := s.Root.Members[1]
	at := s.Offset(b.Line, b.Column)
	if space, alone := s.Indent(at); space != "\t" || !alone || s.EOL() != "\r\n" {
		t.Errorf("indent %q %v", space, alone)
	}
	_, end := s.Span(s.Root.Get("a"))
	if _, alone := s.Indent(end); alone || s.Blank(end+1) != at || s.Text[s.Blank(end)] != ',' {
		t.Errorf("after a: %q", s.Text[s.Blank(end+1):])
	}
	if got := s.Blank(strings.LastIndexByte(s.Text, '}') + 1); got != len(s.Text) {
		t.Errorf("at the end: %d", got)
	}
}

func FuzzSource(f *testing.F) {
	for _, src := range []string{`{"a": [1, "é\"]", {"b": true}], "c": null}`, "[\n 1, // x\n 2,]", "\ufeff[/* */{}]"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) { checkSpans(t, src) })
}
