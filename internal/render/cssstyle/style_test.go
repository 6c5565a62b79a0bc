package cssstyle

import (
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func object(pairs ...any) *ast.Object {
	o := &ast.Object{}
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func TestObjectsBecomeDeclarationsAsInReact(t *testing.T) {
	for _, c := range []struct {
		in   ast.Value
		want string
	}{
		{object("backgroundColor", "red", "marginTop", 8.0), "background-color: red; margin-top: 8px"},
		{object("lineHeight", 1.5, "zIndex", 2.0, "padding", 0.0), "line-height: 1.5; z-index: 2; padding: 0"},
		{object("WebkitLineClamp", 3.0, "msFlex", 1.0), "-webkit-line-clamp: 3; -ms-flex: 1"},
		{object("--Depth", 3.0, "--x", "1px"), "--Depth: 3; --x: 1px"},
		{object("width", nil, "height", ast.Undefined{}, "color", "", "margin", true), ""},
		{object("max-width", "10px"), "max-width: 10px"},
		{object("backgroundImage", `url("/a;b.png")`), `background-image: url("/a;b.png")`},
		{"WIDTH: 14px; height:14px;", "width: 14px; height: 14px"},
		{"background: url(data:image/png;base64,AAAA=) no-repeat",
			"background: url(data:image/png;base64,AAAA=) no-repeat"},
		{"color: red !important", "color: red !important"},
		{nil, ""},
		{true, ""},
		{(*ast.Object)(nil), ""},
	} {
		got, dropped := Text(c.in)
		if got != c.want || dropped != nil {
			t.Errorf("Text(%v) = %q, dropped %q; want %q", c.in, got, dropped, c.want)
		}
	}
}

func TestHostileStylesAreRefusedByName(t *testing.T) {
	for _, c := range []struct {
		in   ast.Value
		want string // the name that is dropped
	}{
		{object("color", "red; background: blue"), "color"},
		{object("color", "red} body {display:none"), "color"},
		{object("width", "expression(alert(1))"), "width"},
		{object("width", "ex/**/pression(alert(1))"), "width"},
		{object("background", "url(javascript:alert(1))"), "background"},
		{object("background", "url( 'java\nscript:alert(1)')"), "background"},
		{object("background", `u\72l(javascript:alert(1))`), "background"},
		{object("background", "url(data:image/svg+xml,x)"), "background"},
		{object("background", "url(file:///etc/passwd)"), "background"},
		{object("color", "red</style><script>"), "color"},
		{object("color", `"open`), "color"},
		{object("color", "rgb(0"), "color"},
		{object("behavior", "url(/x.htc)"), "behavior"},
		{object("MozBinding", "url(/x.xml)"), "-moz-binding"},
		{object("color:red;x", "1"), "color:red;x"},
		{object("a b", "1"), "a b"},
		{object("width", object()), "width"},
		{object("color", strings.Repeat("a", maxLength)), "color"},
		{"color", "color"},
		{3.0, "style"},
	} {
		got, dropped := Text(c.in)
		if got != "" || !slices.Equal(dropped, []string{c.want}) {
			t.Errorf("Text(%v) = %q, dropped %q; want only %q dropped", c.in, got, dropped, c.want)
		}
	}
}

func TestDeclarationsOnlyChangeAppearance(t *testing.T) {
	for in, want := range map[string]string{
		"color: red":                                   "color: red",
		"color:red; ;margin : 0 auto;":                 "color: red; margin: 0 auto",
		`font-family: "a;b", serif; x`:                 `font-family: "a;b", serif`,
		"background: url(/a.png)":                      "background: url(/a.png)",
		"background: URL('javascript:alert(1)')":       "",
		"background: url(data:text/html,x)":            "",
		"background:url(data:image/png;base64,AA==)":   "background: url(data:image/png;base64,AA==)",
		"width: expression(alert(1)); color: red":      "color: red",
		`color: r\65 d; background: \75rl(x)`:          "",
		"behavior: url(x.htc); -moz-binding: url(x)":   "",
		"color: red} body {display: none":              "",
		"--brand: 1px; width: calc(100% - var(--a))":   "--brand: 1px; width: calc(100% - var(--a))",
		"color: re/**/d":                               "",
		"background: url(https://x/y":                  "",
		"background: url(#a), url( 'vbscript:x' )":     "",
		"background: image-set(url(a.png) 1x, url(b))": "background: image-set(url(a.png) 1x, url(b))",
	} {
		if got, _ := Text(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

func TestRefusedPropertyDoesNotAffectOthers(t *testing.T) {
	got, dropped := Text("color: red; width: expression(1); top: 0")
	if got != "color: red; top: 0" || !slices.Equal(dropped, []string{"width"}) {
		t.Errorf("got %q, dropped %q", got, dropped)
	}
}

func TestColorAcceptsOneSafeValue(t *testing.T) {
	for in, want := range map[string]string{
		"#fff": "#fff", "A8FF53": "#A8FF53", " red ": "red", "var(--x)": "var(--x)",
		"rgb(1 2 3 / 50%)": "rgb(1 2 3 / 50%)",
		"":                 "", "red; top: 0": "", "url(javascript:1)": "", "red}": "",
	} {
		got, ok := Color(in)
		if got != want || ok != (want != "") {
			t.Errorf("Color(%q) = %q, %v; want %q", in, got, ok, want)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"color: red; top: 0", "background: url(a;b)", "a: 'x;y'; b: \"}\"", "--x: (",
		"width: ex\\70ression(1)", ";;:;", "a:)("} {
		f.Add(s, "color")
	}
	f.Fuzz(func(t *testing.T, s, key string) {
		for _, v := range []ast.Value{s, object(key, s, "top", 1.0)} {
			css, _ := Text(v)
			if strings.ContainsAny(css, "<>{}\\\x00") || strings.Contains(css, "/*") {
				t.Fatalf("unsafe mark in %q", css)
			}
			for _, d := range split(css, ';') {
				if name, _, ok := strings.Cut(d, ":"); css != "" && (!ok || !safeName(strings.TrimSpace(name))) {
					t.Fatalf("declaration %q of %q has no safe name", d, css)
				}
			}
			again, dropped := Text(css)
			if again != css || dropped != nil {
				t.Fatalf("reading %q again gives %q, dropped %q", css, again, dropped)
			}
		}
	})
}

func TestLowContrastIsReportedForKnownColors(t *testing.T) {
	for css, want := range map[string]bool{
		"color: #999; background: #fff":                  true,
		"background-color: White; color: #cccccc":        true,
		"color: #000; background: white":                 false,
		"color: #888; background: #fff; font-size: 24px": false,
		"color: #888; background: #fff; font-size: 12px": true,
		"color: #999": false,
		"color: #999; background: linear-gradient(#fff, #000)": false,
		"color: var(--x); background: #fff":                    false,
		"background: url(\"/a;color:#fff\"); color: #fefefe":   false,
		"": false,
	} {
		if _, low := LowContrast(css); low != want {
			t.Errorf("%s: low contrast %v, want %v", css, low, want)
		}
	}
}
