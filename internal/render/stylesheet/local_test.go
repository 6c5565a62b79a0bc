package stylesheet

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/csp"
)

// C5: pages load nothing that their content security policy blocks. From other hosts, they may load only images and
// media.
func TestForeignImportsAndFontsAreRemoved(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"import", `@import "https://x.test/a.css"; a{}`, ` a{}`},
		{"import with url", `@import url(https://x.test/a.css) screen;b{}`, `b{}`},
		{"import with quoted url", "@import url( 'https://x.test/a;b.css' ) layer(x) supports(display:grid) ;b{}",
			"b{}"},
		{"import of the site", `@import "./b.css";@import url(/c.css);`, `@import "./b.css";@import url(/c.css);`},
		{"import without an end", `@import "//x.test"`, ``},
		{"import in capitals", `@IMPORT URL("HTTPS://x.test/a.css");`, ``},
		{"import with escapes", `@\69mport "https://x.test";@im\70 ort "\68ttps:\/\/x.test";`, ``},
		{"import with backslashes", `@import "\\\\x.test/a";@import "/\\x.test";`, ``},
		{"import with a comment", `@import/**/"https://x.test";/*@import "https://y.test";*/`,
			`/*@import "https://y.test";*/`},
		{"import of data", `@import "data:text/css,a{}";`, ``},
		{"import in a string", `a{content:"@import url(https://x.test)"}`, `a{content:"@import url(https://x.test)"}`},
		{"one foreign font",
			`@font-face{font-family:A;src:url(https://x.test/a.woff2) format("woff2");font-weight:400}`,
			`@font-face{font-family:A;font-weight:400}`},
		{"first of two fonts", `@font-face{src:url(https://x.test/a.woff2) format("woff2"), url(/a.woff)}`,
			`@font-face{src: url(/a.woff)}`},
		{"last of two fonts", `@font-face{src:local("A"), url("//x.test/a.woff2")}`, `@font-face{src:local("A")}`},
		{"two of three fonts", `@font-face{src:local(A),url(//x.test/a),url(//x.test/b);}`,
			`@font-face{src:local(A);}`},
		{"font of the site", `@font-face{src:url(../a.woff2)}`, `@font-face{src:url(../a.woff2)}`},
		{"font in the sheet", `@font-face{src:url(data:font/woff2;base64,AA==)}`,
			`@font-face{src:url(data:font/woff2;base64,AA==)}`},
		{"font without an end", `@font-face{src:url(https://x.test/a`, `@font-face{`},
		{"picture", `a{background:url(https://x.test/a.png)}`, `a{background:url(https://x.test/a.png)}`},
		{"name like src", `@font-face{x-src:url(https://x.test)}`, `@font-face{x-src:url(https://x.test)}`},
		{"after a block", `@media screen{@font-face{src:url(https://x.test/a)}a{}}b{}`,
			`@media screen{@font-face{}a{}}b{}`},
	} {
		got, list := Local("a.css", []byte(c.in), nil)
		if string(got) != c.want {
			t.Errorf("%s: %s\ngot  %s\nwant %s", c.name, c.in, got, c.want)
		}
		if (len(list) > 0) != (c.in != c.want) {
			t.Errorf("%s: findings %v", c.name, list)
		}
		for _, d := range list {
			if d.Code != "css-foreign" || d.Line != 1 || d.Column < 1 {
				t.Errorf("%s: %+v", c.name, d)
			}
		}
	}
}

func TestFindingsHaveLineNumbers(t *testing.T) {
	_, list := Local("a.css", []byte("a{}\n\n@import 'https://x.test';\n b{} @import '//y.test';"), nil)
	if len(list) != 2 || list[0].Line != 3 || list[0].Column != 1 || list[1].Line != 4 || list[1].Column != 6 {
		t.Errorf("findings %+v", list)
	}
}

// C8: each byte is read once, or twice where one rule ends another, so the time is linear in the size.
func TestTimeIsLinear(t *testing.T) {
	for _, piece := range []string{"/*", "@import ", "@font-face{src:", "url(", "'\\", "@font-face{src:url(//x),",
		"((((", "*/", "@import{", "@import}", "@font-face{src}", "@font-face{src:a;", "-"} {
		const size = 100_000
		f := &filter{scanner: scanner{src: bytes.Repeat([]byte(piece), size/len(piece))}, line: 1}
		f.sheet()
		if f.read > 2*size {
			t.Errorf("%q: %d bytes were read of %d", piece, f.read, size)
		}
	}
}

// Style sheets are filtered with the same list as the content security policy.
func TestAllowedHostsAreKept(t *testing.T) {
	allow := csp.Allow{"style": {"https://fonts.example/css/"}, "font": {"https://files.example"}}
	const in = `@import "https://fonts.example/css/a.css"; @import url(//fonts.example/other.css);
		@font-face { src: url(https:\\\\files.example/a.woff2), url(https://fonts.example/css/b.woff2) }
		@import "https://files.example/c.css"; @import "data:text/css,a{}";`
	out, list := Local("a.css", []byte(in), allow)
	const want = `@import "https://fonts.example/css/a.css"; ` + `
		@font-face { src: url(https:\\\\files.example/a.woff2)}
		 `
	if string(out) != want || len(list) != 4 {
		t.Errorf("%q\n%q %v", out, want, list)
	}
}

// FuzzLocal checks that the result has no foreign import or font, that a second pass finds nothing more, and that a
// sheet without findings is unchanged.
func FuzzLocal(f *testing.F) {
	for _, seed := range []string{
		`@import "https://x.test/a.css"; a{}`,
		`@font-face{src:url(https://x.test/a.woff2) format("woff2"), url(/a.woff)}`, `@\69mport "//x"`,
		"a{b:url(https://x/'\"\\\n)}", `@font-face{src:local("A"),url("//x.test/a.woff2")`, "/*@import '//x'",
		`@font-face{{src:url(//x)}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		out, list := Local("a.css", in, nil)
		if in = readable(in); len(list) == 0 && !bytes.Equal(in, out) {
			t.Fatalf("changed without a finding: %q → %q", in, out)
		}
		if len(list) >= maxFindings {
			return
		}
		again, more := Local("a.css", out, nil)
		if !bytes.Equal(again, out) {
			t.Fatalf("second pass: %q → %q → %q: %v", in, out, again, more)
		}
		if strings.Contains(string(in), "@") {
			return
		}
		if !bytes.Equal(in, out) {
			t.Fatalf("no at-rule, but %q → %q", in, out)
		}
	})
}
