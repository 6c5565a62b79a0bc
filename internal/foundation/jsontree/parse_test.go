package jsontree

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/cputime"
)

var limits = Limits{Bytes: 8 << 20, Depth: 50, Values: 1_000_000}

func TestParseErrorsHaveAPosition(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`{"a" 1}`, "1:6 Expected a colon after the key."},
		{"{\n\"é\": tru}", "2:6 Expected a value here."},
		{`{a: 1}`, "1:2 Expected a key in quotation marks here."},
		{`[1 2]`, "1:4 Expected a comma or ] here."},
		{`{"a": 1`, "1:8 Expected a comma or } here."},
		{`[1,`, "1:4 Expected a value here."},
		{`[01]`, "1:2 This is not a number."},
		{`["a`, "1:2 The string has no closing quotation mark."},
		{`["a\`, "1:2 The string has no closing quotation mark."},
		{"[\"a\nb\"]", "1:4 A string must end on the same line, with a quotation mark."},
		{`[ "\x"]`, "1:3 The string is not valid JSON."},
		{"[\n /* x\n\n", "2:2 A comment is not closed."},
		{`{} {}`, "1:4 There must be nothing after the end of the value."},
		{"", "1:1 Expected a value here."},
		{"\ufeff x", "1:2 Expected a value here."},
		{strings.Repeat("[", 60), "1:52 The file has more than 1000000 values or is nested deeper than 50 levels."},
	} {
		_, err := Parse("f.json", c.src, limits)
		bad := new(SyntaxError)
		if !errors.As(err, &bad) {
			t.Errorf("%q was accepted", c.src)
		} else if got := fmt.Sprintf("%d:%d %s", bad.Pos.Line, bad.Pos.Column, bad.Message); got != c.want ||
			bad.Pos.File != "f.json" {
			t.Errorf("%q:\ngot  %s\nwant %s", c.src, got, c.want)
		}
	}
}

func TestCommentsTrailingCommasAndTabsAreAcceptedAndNoted(t *testing.T) {
	for src, loose := range map[string]bool{
		`{"a": [1, 2]}`: false, `{"a": [1, 2,],}`: true, "{ // c\n\"a\": /* b */ [1, 2]}": true,
		"{\"a\": [1, 2]} // end": true, "{\"a\": [1, 2], \"b\": \"x\ty\\n\"}": true,
	} {
		doc, err := Parse("f.json", src, limits)
		if err != nil || doc.Loose != loose || len(doc.Root.Get("a").Items) != 2 {
			t.Errorf("%q: %+v %v", src, doc, err)
		}
	}
}

func TestLastOfRepeatedKeysWins(t *testing.T) {
	var b strings.Builder
	for i := range 2 * indexed { // with an index and without
		fmt.Fprintf(&b, `"k%d": 1, "k%d": 2,`+"\n", i, i)
		doc, err := Parse("f.json", "{"+b.String()+`"end": 1}`, limits)
		if err != nil || len(doc.Root.Members) != i+2 || doc.Root.Get(fmt.Sprintf("k%d", i)).Str != "2" ||
			doc.Root.Get("none") != nil {
			t.Fatalf("%d: %v %+v", i, err, doc)
		}
		if got := doc.Twice[i].Pos(); got.Line != i+1 || got.Column < 8 {
			t.Fatalf("noted at %+v", got)
		}
	}
}

func TestParseTimeIsLinear(t *testing.T) {
	for name, build := range map[string]func(n int) string{
		"one long line": func(n int) string { return "[" + strings.Repeat(`"é",`, n) + "1]" },
		"repeated keys": func(n int) string { return "{" + strings.Repeat(`"a":1,"b":2,`, n/2) + `"c":3}` },
		"escapes":       func(n int) string { return `["` + strings.Repeat(`\n`, 5*n) + `"]` },
		"comments":      func(n int) string { return "[" + strings.Repeat("/**/\n", n) + "1]" },
	} {
		measure := func(src string, best time.Duration) time.Duration {
			start := cputime.Used(t)
			if _, err := Parse("f.json", src, limits); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return min(best, cputime.Used(t)-start)
		}
		// The text is 8 times as long; quadratic parsing would take 64 times as long. There are many tries because
		// garbage collection takes time too.
		short, long := build(50_000), build(400_000)
		small, large, ok := time.Hour, time.Hour, false
		for try := 0; try < 20 && !ok; try++ {
			small, large = measure(short, small), measure(long, large)
			ok = large < 30*small
		}
		if !ok {
			t.Errorf("%s: %v, and %v for 8 times the length", name, small, large)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,-2.5e3,true,null,"é\u00e9"]}`, "{//x\n}", `{"x":"\ud800"}`, `{"a":1,"a":2}`,
		"[/*", `"\`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		doc, err := Parse("f", src, limits)
		if err != nil {
			if bad := new(SyntaxError); !errors.As(err, &bad) || bad.Pos.Line < 1 || bad.Pos.Column < 1 {
				t.Fatalf("no place: %v", err)
			}
			if json.Valid([]byte(src)) && !strings.Contains(err.Error(), "nested") {
				t.Fatalf("valid JSON is refused: %v", err)
			}
			return
		}
		if out := doc.Root.JSON(); len(out) < writeMax && !json.Valid([]byte(out)) {
			t.Fatalf("%q is written as %q", src, out)
		}
	})
}
