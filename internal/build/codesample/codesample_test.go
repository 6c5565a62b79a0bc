package codesample

import (
	"slices"
	"strings"
	"testing"
)

func TestParseLanguages(t *testing.T) {
	t.Parallel()
	list, err := ParseLanguages([]string{"py", " JavaScript ", "go=/opt/go/bin/go run", "sh=dash"})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"python": "python3 sample.py", "js": "node sample.mjs", "go": "/opt/go/bin/go run sample.go",
		"shell": "dash sample.sh", "ruby": ""} {
		l := list[name]
		if got := strings.TrimSpace(strings.Join(append(slices.Clone(l.words), l.file), " ")); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for _, bad := range []string{"", "go", "go=", "=go"} {
		if _, err := ParseLanguages([]string{bad}); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestOutputDifferencesAreDescribed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ want, got, why string }{
		{"a\nb", "\na  \nb\r\n\n", ""},
		{"", "\n", ""},
		{"a", "", "it prints nothing"},
		{"", "a", `line 1 is "a"`},
		{"a\nb", "a", `nothing follows after "a"`},
		{"a", "a\nb", `line 2 is "b"`},
		{"a\n...\nd", "a\nb\nc\nd", ""},
		{"a\n...\nd", "a\nd", ""},
		{"a\n...\nd", "a", `it does not end with "d"`},
		{"a\n...\nd", "a\nd\ne", `it does not end with "d"`},
		{"...\nb\n...\nb\n...", "x\nb\nb\ny", ""},
		{"...\nb\n...\nb\n...", "x\nb\ny", `"b" is missing`},
		{"a\n...\na", "a", `it does not end with "a"`},
		{"a\nc\n...", "a\nb", `line 2 is "b"`},
		{"...", "", ""},
	} {
		if got := differs(c.want, c.got); got != c.why {
			t.Errorf("%q and %q: %q, want %q", c.want, c.got, got, c.why)
		}
	}
}

// The cost of a page whose lines are mostly blank is proportional to its length, regardless of the number of its
// samples.
func TestBlankLinesAreNotCopiedPerSample(t *testing.T) {
	t.Parallel()
	languages, err := ParseLanguages([]string{"sh"})
	if err != nil {
		t.Fatal(err)
	}
	result := Result{Disabled: map[string]int{}}
	f := finder{languages: languages, result: &result}
	f.page("a.mdx", []byte(strings.Repeat("\n", 1<<20)+strings.Repeat("```sh test={true}\n:\n```\n", 2*MaxSamples)))
	if len(f.list) != MaxSamples || result.Left != MaxSamples {
		t.Fatalf("%d samples, %d left", len(f.list), result.Left)
	}
	kept := 0
	for _, s := range f.list {
		kept += len(s.blocks[0].text)
	}
	last := f.list[MaxSamples-1]
	if kept > 1<<10 || last.pos.Line != 1<<20+3*(MaxSamples-1)+1 {
		t.Errorf("blocks hold %d bytes; the last sample is at line %d", kept, last.pos.Line)
	}
	if got := string(last.source()); got != strings.Repeat("\n", last.pos.Line)+":\n" {
		t.Errorf("%d bytes", len(got))
	}
}

func TestExcerptKeepsTheEnd(t *testing.T) {
	t.Parallel()
	got := excerpt(strings.Repeat(strings.Repeat("x", 200)+"\n", 20) + "\nValueError: why\n")
	if !strings.HasPrefix(got, "It printed: …x") || !strings.HasSuffix(got, " | ValueError: why") || len(got) > 640 {
		t.Error(got)
	}
}
