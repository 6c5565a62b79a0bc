package diffview

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// shownParts formats a line with its marked parts in brackets.
func shownParts(l Line) (s string) {
	for _, p := range l.Parts {
		if p.Marked {
			p.Text = "[" + p.Text + "]"
		}
		s += p.Text
	}
	return s
}

func TestChangedWordsInALineAreMarked(t *testing.T) {
	for name, c := range map[string]struct{ old, new, wantOld, wantNew string }{
		"a word": {"See it at /guide/a now.", "See it at /guides/a now.", "See it at /[guide]/a now.",
			"See it at /[guides]/a now."},
		"two words": {"See /comands or /descale#whith.", "See /commands or /descale#with.",
			"See /[comands] or /descale#[whith].", "See /[commands] or /descale#[with]."},
		"other alphabets":    {"Das schöne Haus", "Das schône Haus", "Das [schöne] Haus", "Das [schône] Haus"},
		"something is added": {"title: A", "title: A and B", "title: A", "title: A[ and B]"},
		"words in between":   {"Welcome.", "Welcome to all.", "Welcome.", "Welcome[ to all]."},
		"little in common":   {"one two three four", "five six seven four", "", ""},
		"nothing in common":  {"one", "two", "", ""},
		"an empty line":      {"", "some text", "", ""},
		"a line without end": {strings.Repeat("a ", 2000), strings.Repeat("a ", 1999), "", ""},
	} {
		lines := []Line{{Kind: Same, Text: "x"}, {Kind: Old, Text: c.old}, {Kind: New, Text: c.new}, {Kind: Same}}
		mark(lines)
		if shownParts(lines[1]) != c.wantOld || shownParts(lines[2]) != c.wantNew || lines[0].Parts != nil {
			t.Errorf("%s: %q and %q", name, shownParts(lines[1]), shownParts(lines[2]))
		}
	}
}

func TestUnequalRunsAreNotMarked(t *testing.T) {
	lines := []Line{{Kind: Old, Text: "a b c"}, {Kind: Old, Text: "a b d"}, {Kind: New, Text: "a b e"}, {Kind: Gap},
		{Kind: New, Text: "z"}, {Kind: Old, Text: "a b c"}, {Kind: New, Text: "a b d"}}
	mark(lines)
	for i, l := range lines[:5] {
		if l.Parts != nil {
			t.Errorf("line %d is marked: %+v", i, l)
		}
	}
	if shownParts(lines[5]) != "a b [c]" || shownParts(lines[6]) != "a b [d]" {
		t.Errorf("%+v", lines[5:])
	}
}

// The work for marking long lines is bounded, however many there are.
func TestLinesBeyondTheLimitAreNotMarked(t *testing.T) {
	var lines []Line
	for range 50 {
		lines = append(lines, Line{Kind: Old, Text: strings.Repeat("a.", 450) + "x"},
			Line{Kind: New, Text: strings.Repeat("a.", 450) + "y"}, Line{Kind: Same})
	}
	mark(lines)
	if lines[0].Parts == nil || lines[len(lines)-3].Parts != nil {
		t.Errorf("the first is marked: %t; the last: %t", lines[0].Parts != nil, lines[len(lines)-3].Parts != nil)
	}
}

// FuzzMark checks that the parts of any line add up to the line.
func FuzzMark(f *testing.F) {
	f.Add("See [it](/guide).", "See [it](/guides).")
	f.Add("ééé é", "éée é")
	f.Add("\xffa b", "a\xff b")
	f.Fuzz(func(t *testing.T, a, b string) {
		if strings.ContainsRune(a+b, '\n') { // lines have none
			return
		}
		lines := []Line{{Kind: Old, Text: a}, {Kind: New, Text: b}}
		mark(lines)
		for _, l := range lines {
			all := ""
			for _, p := range l.Parts {
				all += p.Text
				if utf8.ValidString(l.Text) && !utf8.ValidString(p.Text) {
					t.Errorf("a character of %q was cut: %+q", l.Text, p.Text)
				}
			}
			if l.Parts != nil && all != l.Text {
				t.Errorf("%q became %q", l.Text, all)
			}
		}
	})
}
