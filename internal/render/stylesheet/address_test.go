package stylesheet

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// B8: Addresses finds everything that a sheet loads, and nothing else.
func TestAddressesMatchWhatBrowsersLoad(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`a{background:url(a.png)}`, "a.png"},
		{`a{background:URL( "a b.png" ) no-repeat, url('c.png')}`, "a b.png c.png"},
		{`@import "b.css" screen; @import url(c.css); a{}`, "b.css! c.css!"},
		{`@\69mport "b.css"`, "b.css!"},
		{`@import url("b.css") supports(background: url(x.png));`, "b.css! x.png"},
		{`@font-face{src:local("A"),url(a.woff2) format("woff2")}`, "a.woff2"},
		{`a{background:image-set("a.png" 1x type("image/png"), url(b.png) 2x)}`, "a.png b.png"},
		{`a{background:-webkit-image-set(url("a.png") 1x)}`, "a.png"},
		{`a{background:image-set(var(--x, "a.png") 1x)}`, "a.png"},
		{`a{background:src("a.png")}`, "a.png"},
		{`--x:url(//x.test/a.png)`, "//x.test/a.png"},
		{`@namespace svg url(http://www.w3.org/2000/svg); @namespace "x"; a{b:url(c)}`, "c"},
		{`@-moz-document url(https://x.test/){a{b:url(c)}}`, "c"},
		{`a{content:"url(x.png)"} /* url(y.png) */ [href="z.png"]{}`, ""},
		{`a{b:u\72l(x.png)}`, "x.png"},
		{`a{b:url(a\29.png)}`, "a).png"},
		{`@charset "utf-8";@layer "x";a::before{content:"y"}`, ""},
		{`a{b:url(x`, "x"},
		{`@media (a:"b"){c{d:url(e)}}`, "e"},
	} {
		var got []string
		for _, a := range Addresses([]byte(c.in)) {
			if got = append(got, a.Value); a.Import {
				got[len(got)-1] += "!"
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.in, strings.Join(got, " "), c.want)
		}
	}
}

func TestAddressesHavePositions(t *testing.T) {
	got := fmt.Sprint(Addresses([]byte("/* é\n */ a{b:url(x) url(y)}\n@import 'z';")))
	if want := "[{x 2 9 false} {y 2 16 false} {z 3 9 true}]"; got != want {
		t.Errorf("got %s want %s", got, want)
	}
}

// FuzzAddresses checks that positions are in ascending order, and that Addresses finds every import that Local removes.
func FuzzAddresses(f *testing.F) {
	for _, seed := range []string{
		`@import "https://x.test/a.css"; a{}`, `a{b:url(c);d:image-set("e" 1x)}`,
		"@namespace x url(y);\n@font-face{src:url( 'z' )}", `u\72l(`, `@import url(a) supports((b:url(c)`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		line, column := 1, 0
		foreign := false
		for _, a := range Addresses(in) {
			if a.Line < line || a.Line == line && a.Column <= column {
				t.Fatalf("%q: %+v is before %d:%d", in, a, line, column)
			}
			line, column = a.Line, a.Column
			foreign = foreign || Foreign(a.Value) || data(a.Value)
		}
		// Local also removes text that only looks like a font, and, if at-rules are nested, more than the imports.
		_, list := Local("a.css", in, nil)
		if len(list) > 0 && !foreign && bytes.Count(readable(in), []byte("@")) == 1 &&
			strings.Contains(list[0].Message, "The style sheet") {
			t.Fatalf("%q: %v", in, list)
		}
	})
}
