package diffview

import (
	"strings"
	"testing"
)

func TestTextIsSplitIntoBlocks(t *testing.T) {
	got := Blocks(
		"### Head\n\n**Bold** `a<b>` and <img src=x>\nmore\n- one https://x.example/a.\n* [two](javascript:alert(1))\n\n---\nend")
	var b strings.Builder
	for _, block := range got {
		b.WriteString(block.Kind + ":")
		for _, line := range block.Lines {
			for _, s := range line {
				b.WriteString(" " + s.Kind + "(" + s.Text + ")")
			}
			b.WriteString(" /")
		}
		b.WriteString("\n")
	}
	want := "heading: text(Head) /\n" +
		"text: strong(Bold) text( ) code(a<b>) text( and <img src=x>) / text(more) /\n" +
		"list: text(one ) link(https://x.example/a) text(.) / text([two](javascript:alert(1))) /\n" +
		"rule: /\n" +
		"text: text(end) /\n"
	if b.String() != want {
		t.Errorf("got %s", b.String())
	}
}

// FuzzBlocks checks that links lead only to web addresses, and that no text causes a panic.
func FuzzBlocks(f *testing.F) {
	f.Add("# a\n- `b` **c** https://x.example\n***\n")
	f.Add("javascript:alert(1) httphttps://a https://\"onclick=x")
	f.Fuzz(func(t *testing.T, text string) {
		for _, block := range Blocks(text) {
			for _, line := range block.Lines {
				for _, s := range line {
					if s.Kind == "link" && !strings.HasPrefix(s.Text, "http://") &&
						!strings.HasPrefix(s.Text, "https://") {
						t.Errorf("%q is a link", s.Text)
					}
				}
			}
		}
	})
}
