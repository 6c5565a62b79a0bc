package linediff

import (
	"strings"
	"testing"
)

func TestHunksTransformOneTextIntoTheOther(t *testing.T) {
	many := strings.Repeat("x\ny\n", 800)
	for _, c := range [][2]string{
		{"", ""}, {"", "a\n"}, {"a\n", ""}, {"a", "a\n"}, {"a\nb\nc\n", "a\nc\nd\n"}, {"a\nb\na\nb\n", "b\na\nb\na\n"},
		{many, "y\n" + many}, {many, strings.ToUpper(many)},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\nx\n4\n5\n6\n7\n8\ny\n"},
	} {
		var before, after strings.Builder
		for _, s := range Compare(splitLines(c[0]), splitLines(c[1])) {
			if s.Kind != '+' {
				before.WriteString(s.Text)
			}
			if s.Kind != '-' {
				after.WriteString(s.Text)
			}
		}
		if before.String() != c[0] || after.String() != c[1] {
			t.Errorf("%.40q to %.40q: hunks transform %.40q into %.40q", c[0], c[1], before.String(), after.String())
		}
	}
	far := Unified("f", "f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n0\n", "x\n2\n3\n4\n5\n6\n7\n8\n9\ny")
	if want := "--- f\n+++ f\n@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -7,4 +7,4 @@\n 7\n 8\n 9\n-0\n+y\n\\ No newline at end of file\n"; far != want {
		t.Errorf("got %s", far)
	}
}
