package diffview

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site/draft"
)

// drawn formats lines like rows of a table.
func drawn(list []Line) string {
	var b strings.Builder
	for _, l := range list {
		fmt.Fprintf(&b, "%s %d %d %s\n", l.Kind, l.Old, l.New, l.Text)
	}
	return b.String()
}

func TestPatchIsParsed(t *testing.T) {
	files, err := Parse(draft.Patch([]draft.Change{
		{Path: "a b/b.mdx", Before: []byte("1\n2\n3\n4\n5\n6\n7\n8\n9\n0\n"),
			After: []byte("x\n2\n3\n4\n5\n6\n7\n8\n9\ny")},
		{Path: "new.md", After: []byte("--- a/x\r\n+++ b/x\n@@ -1,1 +1,1 @@\ndiff --git a/x b/x\n\n")},
		{Path: "gone.md", Before: []byte("one")},
		{Path: "empty.md", After: []byte{}},
		{Path: "logo.png", Before: []byte{0}, After: []byte{0, 1}},
		{Path: "x b/x b/x", From: "x", Before: []byte("1\n"), After: []byte("1\n2\n")},
		{Path: "there.png", From: "here.png", Before: []byte{0}, After: []byte{0}},
		{Path: "there b/2.png", From: "here.png", Before: []byte{0}, After: []byte{0, 1}},
		{Path: "there.md", From: "here.md", Before: []byte("same\n"), After: []byte("same\n")},
	}), 1000)
	if err != nil || len(files) != 9 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	for i, want := range []struct {
		path, lines    string
		added, removed int
		binary         bool
	}{
		{"a b/b.mdx",
			"gap 0 0 \nold 1 0 1\nnew 0 1 x\nsame 2 2 2\nsame 3 3 3\nsame 4 4 4\ngap 0 0 \nsame 7 7 7\nsame 8 8 8\nsame 9 9 9\nold 10 0 0\nnew 0 10 y\n", 2, 2, false},
		{"new.md",
			"gap 0 0 \nnew 0 1 --- a/x\nnew 0 2 +++ b/x\nnew 0 3 @@ -1,1 +1,1 @@\nnew 0 4 diff --git a/x b/x\nnew 0 5 \n", 5, 0, false},
		{"gone.md", "gap 0 0 \nold 1 0 one\n", 0, 1, false},
		{"empty.md", "", 0, 0, false},
		{"logo.png", "", 0, 0, true},
		{"x b/x b/x", "gap 0 0 \nsame 1 1 1\nnew 0 2 2\n", 1, 0, false},
		{"there.png", "", 0, 0, false},
		{"there b/2.png", "", 0, 0, true},
		{"there.md", "", 0, 0, false},
	} {
		f := files[i]
		if from := []string{"", "", "", "", "", "x", "here.png", "here.png", "here.md"}[i]; f.From != from {
			t.Errorf("file %d was %q before, want %q", i, f.From, from)
		}
		if f.Path != want.path || drawn(f.List) != want.lines || f.Added != want.added || f.Removed != want.removed ||
			f.Binary != want.binary || f.Cut {
			t.Errorf("file %d: %s\n%s%+v", i, f.Path, drawn(f.List), f)
		}
	}
}

// However long a patch is, no more lines are kept than requested; all of them are counted.
func TestLinesBeyondTheLimitAreCounted(t *testing.T) {
	patch := draft.Patch([]draft.Change{{Path: "a", After: []byte("1\n2\n")},
		{Path: "b", After: []byte(strings.Repeat("x\n", 50))}, {Path: "c", After: []byte("3\n")}})
	files, err := Parse(patch, 6)
	if err != nil || len(files) != 3 || len(files[0].List) != 3 || files[1].List != nil || !files[1].Cut ||
		files[1].Added != 50 || len(files[2].List) != 2 {
		t.Errorf("%+v, error %v", files, err)
	}
	if got := Added("1\n2\n3", 2); !got.Cut || got.List != nil || got.Added != 3 {
		t.Errorf("%+v", got)
	}
	if got := Compare("1\n", "2\n", 2); !got.Cut || got.List != nil || got.Added != 1 || got.Removed != 1 {
		t.Errorf("%+v", got)
	}
}

func TestBrokenPatchIsRefusedWithItsLine(t *testing.T) {
	const head = "diff --git a/x b/x\n"
	for patch, line := range map[string]string{
		"x\n":                  "line 1:",
		"diff --git a/x b/y\n": "line 1:",
		"diff --git a/x b/y\nrename from x\nrename to z\n":          "line 1:",
		"diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n": "line 4:",
		"diff --git a/ b/\n":                          "line 1:",
		"diff --git a/x\n":                            "line 1:",
		head:                                          "line 1:",
		head + "--- a/x\n":                            "line 2:",
		head + "--- a/x\n+++ b/y\n":                   "line 2:",
		head + "--- a/x\n+++ b/x\njunk\n":             "line 4:",
		head + "--- a/x\n+++ b/x\n@@ -1,1 +1,1\n":     "line 4:",
		head + "--- a/x\n+++ b/x\n@@ -1 +1 @@\n":      "line 4:",
		head + "--- a/x\n+++ b/x\n@@ -1,-1 +1,1 @@\n": "line 4:",
		head + "--- a/x\n+++ b/x\n@@ -1,99999999999999999999 +1,1 @@\n":      "line 4:",
		head + "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n":                         "line 4:",
		head + "--- a/x\n+++ b/x\n@@ -1,1 +0,0 @@\n+a\n":                     "line 5:",
		head + "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n\n":                       "line 5:",
		head + "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\nabc\n":                    "line 5:",
		head + "new file mode 100644\n--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n a": "line 2:",
	} {
		if files, err := Parse(patch, 10); err == nil || files != nil || !strings.Contains(err.Error(), line) {
			t.Errorf("%q: %+v, error %v, want %s", patch, files, err, line)
		}
	}
}

// FuzzParse checks that no patch causes a panic or exceeds the limit on lines.
func FuzzParse(f *testing.F) {
	f.Add(draft.Patch([]draft.Change{{Path: "a b/b", Before: []byte("1\n2"), After: []byte("1\n3\n")},
		{Path: "c", After: []byte("x")}}))
	f.Add("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2000000000 +1,1 @@\n-a\n")
	f.Fuzz(func(t *testing.T, patch string) {
		const most = 20
		files, err := Parse(patch, most)
		n := 0
		for _, one := range files {
			n += len(one.List)
		}
		if n > most || err != nil && files != nil {
			t.Errorf("%d lines kept, error %v", n, err)
		}
	})
}

// FuzzPatch checks that patches by package draft are parsed correctly, whatever the files contain.
func FuzzPatch(f *testing.F) {
	f.Add("a b/b.mdx", "one\ntwo", "one\n\\ No newline at end of file\n")
	f.Add("x", "", "@@ -1,1 +1,1 @@\n")
	f.Add("/dev/null", "a\r\nb", "\n\n")
	f.Fuzz(func(t *testing.T, path, before, after string) {
		if path == "" || strings.Contains(path, "\n") {
			return
		}
		change := draft.Change{Path: path, Before: []byte(before), After: []byte(after)}
		files, err := Parse(draft.Patch([]draft.Change{change, {Path: "last", After: []byte("end\n")}}), 1<<20)
		if err != nil || len(files) != 2 || files[0].Path != path || files[1].Path != "last" ||
			files[0].Binary == change.Text() {
			t.Fatalf("%+v, error %v", files, err)
		}
		if want := Compare(before, after, 1<<20); change.Text() && drawn(files[0].List) != drawn(want.List) {
			t.Errorf("%s instead of %s", drawn(files[0].List), drawn(want.List))
		}
	})
}
