package yamltree

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

var limits = jsontree.Limits{Bytes: 64 << 10, Depth: 50, Values: 20_000}

// parse returns the document as JSON, or the position and text of the error.
func parse(src string, opt Options) string {
	doc, err := Parse("f.yaml", []byte(src), opt)
	if bad := (*jsontree.SyntaxError)(nil); errors.As(err, &bad) {
		return fmt.Sprintf("%s:%d:%d: %s", bad.Pos.File, bad.Pos.Line, bad.Pos.Column, bad.Message)
	}
	return strings.Join(strings.Fields(doc.Root.JSON()), " ")
}

func TestScalarsAreReadAsYAML12(t *testing.T) {
	for src, want := range map[string]string{
		"yes": `"yes"`, "no": `"no"`, "on": `"on"`, "Off": `"Off"`, "y": `"y"`, "true": "true", "True": "true",
		"~": "null", "": "null", "null": "null",
		"2026-01-02": `"2026-01-02"`, "2026-01-02T03:04:05Z": `"2026-01-02T03:04:05Z"`, "12:30:45": `"12:30:45"`,
		"1": "1", "1.10": "1.10", "0x10": "16", "1_000": "1000", ".inf": `".inf"`,
		"123456789012345678901234567890": "123456789012345678901234567890",
		"'1'":                            `"1"`, "!!str 1": `"1"`, "\ufeffa: 1": `{ "a": 1 }`,
		"a: &x 1\nb: *x": `{ "a": 1, "b": 1 }`, "a: 1\n---\nb: 2": `{ "a": 1 }`,
		"a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}": `{ "a": { "b": 1, "c": 2 }, "d": { "c": 3, "b": 1 } }`,
	} {
		if got := parse(src, Options{Limits: limits}); got != want {
			t.Errorf("%q: got %s, want %s", src, got, want)
		}
	}
	for src, want := range map[string]string{"True": "True", "0x10": "0x10", "1_000": "1_000", "007": "007",
		".inf": ".inf"} {
		if got := parse(src, Options{Limits: limits, Spelled: true}); got != want {
			t.Errorf("spelled %q: got %s, want %s", src, got, want)
		}
	}
}

func TestParseErrorsHaveAPosition(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"a: b: c", "f.yaml:1:4: This is not valid YAML: a value that contains a colon must be in quotes."},
		{"a: 1\n  b: c: d\n", "f.yaml:2:6: This is not valid YAML: a value that contains a colon must be in quotes."},
		{"a: \"open\nb: 1\n", "f.yaml:1:4: This is not valid YAML: a quoted string is not closed."},
		{"x: 1\na: [1\nb: 2\n",
			"f.yaml:2:4: This is not valid YAML: a list in brackets is not closed, or lacks a comma."},
		{"x: 1\nkey\n", "f.yaml:2:1: This is not valid YAML: there is no colon after a key."},
		{"a: 'it's'\n",
			"f.yaml:1:4: This is not valid YAML: expected a key here: check the indentation, and quotes inside quotes."},
		{"a: @b\n", "f.yaml:1:4: This is not valid YAML: a value that starts with this character must be in quotes."},
		{"a: \"C:\\Users\"\n",
			"f.yaml:1:4: This is not valid YAML: in double quotes a backslash starts an escape: write two, or use single quotes."},
		{"a:\n\tb: 1\n", "f.yaml:2:1: This is not valid YAML: lines must be indented with spaces, not with tabs."},
		{"a: {b: 1\nc: 2\n",
			"f.yaml:1:4: This is not valid YAML: an object in braces is not closed, or lacks a comma."},
		{"a: 1\nb: *none\n", "f.yaml:2:4: This is not valid YAML: unknown anchor 'none' referenced."},
		{"a: 1\nb: é\x01\n", "f.yaml:2:5: This is not valid YAML: control characters are not allowed."},
		{"a: &x {b: *x}", "f.yaml:1:11: The alias *x refers to a value that contains it."},
		{"a: 1\n---\nb: 2\n", "f.yaml:2:1: The YAML must be a single document."},
		{"a: " + strings.Repeat("[", 60),
			"f.yaml:1:63: This is not valid YAML: a value is missing, or a bracket or brace is not closed."},
		{"a:\n  " + strings.Repeat("[", 60) + strings.Repeat("]", 60),
			"f.yaml:2:53: The YAML has more than 20000 values, including aliases, or is nested deeper than 50 levels."},
		{strings.Repeat("x", 64<<10+1), "f.yaml:1:1: The YAML is larger than 64 kB."},
	} {
		if got := parse(c.src, Options{Limits: limits, Single: true}); got != c.want {
			t.Errorf("%.60q:\ngot  %s\nwant %s", c.src, got, c.want)
		}
	}
	if got := parse("a: b: c", Options{Limits: limits, Before: 10}); !strings.HasPrefix(got, "f.yaml:11:4: ") {
		t.Errorf("with lines before it: %s", got)
	}
	doc, err := Parse("f.yaml", []byte("a: 1\nb: {c: 1, c: 2}\na: 2\n"), Options{Limits: limits})
	if err != nil || len(doc.Twice) != 2 || doc.Twice[0].Pos().Line != 2 || doc.Twice[1].Pos().Line != 3 ||
		doc.Root.Get("a").Str != "2" {
		t.Errorf("repeated keys: %+v %v", doc, err)
	}
}

// hostile returns sources that expand far beyond their size or nest deeply. Some are small, others are as large as the
// limits allow.
func hostile(size int) map[string]string {
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	laugh, chain := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n", "a0: &a0 [x]\n"
	for i := 1; i < 15; i++ {
		laugh += fmt.Sprintf("a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 8), i-1)
	}
	for i := 1; i < 1000; i++ {
		chain += fmt.Sprintf("a%d: &a%d [*a%d]\n", i, i, i-1)
	}
	return map[string]string{
		"brackets": "title: " + fill("["), "closed brackets": "title: " + fill("[")[:size/2-10] + fill("]")[:size/2-10],
		"braces": "title: " + fill("{"), "objects": "title: " + fill("{a: "),
		"dashes": fill("- "), "question marks": fill("? "), "colons": fill(": "), "commas": "a: [" + fill("a,") + "]",
		"empty lists": "a: [" + fill("[],") + "]",
		"comments":    fill("#\n"), "comments in a list": "a:\n" + fill("- #\n"), "anchors": "a: [" + fill("&a a,") +
			"]", "tags": "a: [" + fill("!a a,") + "]", "keys": fill("a:\n"),
		"documents": fill("---\n"), "directives": fill("%TAG !a! b\n"), "blank lines": fill("\n"),
		"long key": fill("a") + ": b", "block text": "a: |\n" + fill(" x\n"), "quotes": fill("\"a\n"),
		"aliases multiply": laugh, "aliases nest": chain, "merge keys": "a: &a {b: 1}\nx:\n" +
			fill("- {<<: [*a, *a, *a]}\n"),
	}
}

// C8: parsing takes memory in proportion to the size of the YAML, no matter what an author writes. 61 kB of brackets
// once took 5.6 GB.
func TestHostileYAMLTakesBoundedMemory(t *testing.T) {
	const size, most = 61 << 10, 64 << 20 // 1000 bytes allocated, garbage included, for each byte of source
	for name, src := range hostile(size) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = Parse("f.yaml", []byte(src), Options{Limits: limits, Single: true})
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > most {
			t.Errorf("%s: %d bytes of source took %d MB", name, len(src), got>>20)
		}
	}
}

// C8: aliases share their value, and a document that aliases expand too far is rejected at the alias that exceeds the
// limit.
func TestAliasBombsAreRefused(t *testing.T) {
	for name, want := range map[string]string{"aliases multiply": "f.yaml:5:", "aliases nest": "f.yaml:50:"} {
		if got := parse(hostile(1000)[name], Options{Limits: limits}); !strings.HasPrefix(got, want) ||
			!strings.Contains(got, "including aliases") {
			t.Errorf("%s: %s, want it at %s", name, got, want)
		}
	}
	doc, err := Parse("f.yaml", []byte("a: &a [x]\nb: [*a, *a]\n"), Options{Limits: limits})
	if err != nil || doc.Root.Get("a") != doc.Root.Get("b").Items[0] {
		t.Errorf("an alias is not its anchor's value: %v", err)
	}
}

// tagged returns a document with directives, each for its own handle.
func tagged(directives int) (src string) {
	for i := range directives {
		src += fmt.Sprintf("%%TAG !h%d! tag:example.org:\n", i)
	}
	return src + "---\na: 1\n"
}

// C8: the library compares every %TAG directive with all others and cannot be interrupted, so a source with more than a
// few directives is rejected before it is parsed.
func TestTooManyDirectivesAreRefusedAtTheirPosition(t *testing.T) {
	const refused = "The YAML has more than 10 %TAG directives."
	opt := Options{Limits: limits}
	for src, want := range map[string]string{
		tagged(10): `{ "a": 1 }`, tagged(11): "f.yaml:11:1: " + refused, "# a\r\n" + tagged(1000): "f.yaml:12:1: " +
			refused,
		strings.ReplaceAll(tagged(11), "\n", "\r"):     "f.yaml:1:271: " + refused,
		strings.ReplaceAll(tagged(11), "\n", "\u2028"): "f.yaml:1:271: " + refused,
		"a: |\n" + strings.Repeat("  %TAG\n", 12):      `{ "a": "` + strings.Repeat(`%TAG\n`, 12) + `" }`,
	} {
		if got := parse(src, opt); got != want {
			t.Errorf("%.60q: got %s, want %s", src, got, want)
		}
	}
	opt.Before = 5
	if got := parse(tagged(11), opt); got != "f.yaml:16:1: "+refused {
		t.Errorf("with lines before it: %s", got)
	}
}

// C8: an entry ends at every line break that YAML defines, and too many entries are rejected before the library
// creates a node for each.
func TestEntriesAreCountedAtEveryLineBreak(t *testing.T) {
	for _, end := range []string{"\n", "\r", "\r\n", "\u0085", "\u2028", "\u2029"} {
		src := []byte(strings.Repeat("-"+end, 100_000))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Parse("f.yaml", src, Options{Limits: jsontree.Limits{Bytes: 1 << 20, Depth: 50, Values: 20_000}})
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; err == nil || got > 1<<20 {
			t.Errorf("entries that end with %q: %v after %d kB", end, err, got>>10)
		}
		if got := parse("- a"+end+"-"+end+"- b"+end, Options{Limits: limits}); got != `[ "a", null, "b" ]` {
			t.Errorf("three entries that end with %q: %s", end, got)
		}
	}
}

// walked counts the values below v. It counts shared values each time it reaches them.
func walked(v *jsontree.Value, depth int) (count, height int) {
	count = 1
	add := func(below *jsontree.Value) {
		n, h := walked(below, depth+1)
		count, height = count+n, max(height, h)
	}
	for _, item := range v.Items {
		add(item)
	}
	for _, m := range v.Members {
		add(m.Value)
	}
	return count, height + 1
}

func FuzzParse(f *testing.F) {
	for _, src := range hostile(300) {
		f.Add([]byte(src))
	}
	for _, s := range []string{"a: 1\nb: [x, 'y']\n", "? [a]\n: b", "a: &a *a", "<<: {a: b}", "- |\n x\n- >-\n y",
		"a: !!binary x", "\t", "a: 'x\n\n y'", "{a: b, *x : c}", "%YAML 9.9\n---\na"} {
		f.Add([]byte(s))
	}
	small := jsontree.Limits{Bytes: 4 << 10, Depth: 20, Values: 2000}
	f.Fuzz(func(t *testing.T, src []byte) {
		doc, err := Parse("f.yaml", src, Options{Limits: small, Single: true})
		if err != nil {
			bad := (*jsontree.SyntaxError)(nil)
			if lines := 1 + strings.Count(string(src), "\n"); !errors.As(err, &bad) || bad.Pos.Line < 1 ||
				bad.Pos.Line > lines || bad.Pos.Column < 1 {
				t.Fatalf("%v at %+v in %d lines", err, bad, lines)
			}
			return
		}
		if count, height := walked(doc.Root, 0); count > small.Values || height > small.Depth+1 {
			t.Fatalf("%d values, %d deep", count, height)
		}
	})
}

// The library recognizes more line breaks than editors; values are reported on the line where an editor shows them.
func TestLineNumbersMatchEditors(t *testing.T) {
	for _, between := range []string{"\n", "\r\n", "\r\r\n", "\u2028\n"} {
		doc, err := Parse("f.yaml", []byte("a: x"+between+"b: y\n"), Options{Limits: limits})
		if err != nil {
			t.Errorf("%q: %v", between, err)
			continue
		}
		if b := doc.Root.Members[1]; b.Key != "b" || b.Line != 2 {
			t.Errorf("%q: %s is on line %d", between, b.Key, b.Line)
		}
	}
}
