package stylesheet

import (
	"strings"
	"testing"
	"unicode/utf16"
)

// C5: a browser and this package must split a sheet into the same tokens. Otherwise an import could be hidden in a
// place where only one of the two sees a string, a comment or a URL. In a browser, each of these sheets loads something
// from x.test.
func TestForeignAddressesCannotHideInInvalidCSS(t *testing.T) {
	const font = `@font-face{font-family:A;src:url(//x.test/a.woff2)}`
	for name, in := range map[string]string{
		"an escaped carriage return": "\\\rurl(x'){}" + font + `/*'*/`,
		"an escaped form feed":       "\\\furl(x'){}" + font + `/*'*/`,
		"a unit called url":          `1url(x'){}/*'){}` + font + `/*'*/`,
		"a unit with an escape":      `1\75rl(x'){}/*'){}` + font + `/*'*/`,
		"a unit after an exponent":   `.5e-3url(x'){}/*'){}` + font + `/*'*/`,
		"a hash called url":          `#url(x'){}/*'){}` + font + `/*'*/`,
		"a hash that starts so":      `#1url(x'){}/*'){}` + font + `/*'*/`,
		"the start of a comment":     `<!--url(x'){}` + font + `/*'*/`,
		"brackets around a brace":    `@font-face{a:(});src:url(//x.test/a)}`,
		"square brackets too":        `@font-face{a:[}];src:url(//x.test/a)}`,
		"a semicolon in brackets":    `@font-face{src:[;] a,url(//x.test/a)}`,
		"a semicolon in braces":      `@font-face{src:{;} a,url(//x.test/a)}`,
		"a brace in brackets":        `@font-face{src:local(}),url(//x.test/a)}`,
	} {
		if out, _ := Local("a.css", []byte(in), nil); strings.Contains(string(out), "x.test") {
			t.Errorf("%s: %q stays %q", name, in, out)
		}
	}
}

// A byte order mark takes precedence over the encoding in the server's headers.
func TestEncodingIsDetectedAsInBrowsers(t *testing.T) {
	for name, order := range map[string][2]int{"little": {0, 8}, "big": {8, 0}} {
		var in []byte
		for _, u := range utf16.Encode([]rune("\ufeff@import \"https://x.test/a.css\"; a{content:\"é😀\"}")) {
			in = append(in, byte(u>>order[0]), byte(u>>order[1]))
		}
		out, list := Local("a.css", in, nil)
		if got, want := string(out), " a{content:\"é😀\"}"; got != want || len(list) != 1 {
			t.Errorf("%s: %q %v", name, got, list)
		}
	}
	if out, _ := Local("a.css", []byte("\xef\xbb\xbf@import '//x.test';a{}"), nil); strings.Contains(string(out), "x.test") {
		t.Errorf("%q", out)
	}
}
