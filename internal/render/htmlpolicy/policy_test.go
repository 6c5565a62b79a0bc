package htmlpolicy

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func TestElementReportsWhatAuthorsMayUse(t *testing.T) {
	for name, void := range map[string]bool{"div": false, "br": true, "img": true, "DIV": false,
		"linearGradient": false, "foreignObject": false,
		"mfrac": false, "figcaption": false, "iframe": false, "video": false, "source": true, "details": false,
		"style": false} {
		if p, ok := Element(name); !ok || p.Void != void || p.Refused != "" {
			t.Errorf("%s = %+v %v", name, p, ok)
		}
	}
	for name, drop := range map[string]bool{"script": true, "SCRIPT": true, "object": false, "embed": true,
		"base": true, "meta": true, "link": true, "template": false} {
		if p, ok := Element(name); ok || p.Drop != drop || p.Refused == "" {
			t.Errorf("%s = %+v %v", name, p, ok)
		}
	}
	for _, name := range []string{"openai_key", "", "x-y", "portal", "Card", "script\x00", "lineargradientx"} {
		if p, ok := Element(name); ok || p != (Policy{}) {
			t.Errorf("%s = %+v %v", name, p, ok)
		}
	}
}

func TestAttributesUseHTMLSpelling(t *testing.T) {
	for _, c := range []struct {
		element, name, value, out, want string
		kind                            AttrKind
	}{
		{"div", "className", "a b", "class", "a b", Class},
		{"div", "class", "a b", "class", "a b", Class},
		{"label", "htmlFor", "x", "for", "x", Plain},
		{"path", "strokeWidth", "2", "stroke-width", "2", Plain},
		{"path", "stroke-width", "2", "stroke-width", "2", Plain},
		{"path", "clipRule", "evenodd", "clip-rule", "evenodd", Plain},
		{"svg", "viewBox", "0 0 1 1", "viewBox", "0 0 1 1", Plain},
		{"svg", "preserveAspectRatio", "none", "preserveAspectRatio", "none", Plain},
		{"g", "fill", "url(#a)", "fill", "url(#a)", Plain},
		{"use", "xlinkHref", "#a", "href", "#a", Plain},
		{"use", "xlink:href", "#a", "href", "#a", Plain},
		{"image", "href", "/a.png", "href", "/a.png", Image},
		{"img", "srcSet", "a 2x", "srcset", "a 2x", SrcSet},
		{"img", "src", "a.png", "src", "a.png", Image},
		{"video", "autoPlay", "", "autoplay", "", Flag},
		{"video", "playsInline", "true", "playsinline", "", Flag},
		{"iframe", "allowFullScreen", "", "allowfullscreen", "", Flag},
		{"iframe", "frameBorder", "0", "frameborder", "0", Plain},
		{"iframe", "src", "//player.vimeo.com/video/1", "src", "https://player.vimeo.com/video/1", Frame},
		{"iframe", "src", "http://www.youtube.com/embed/x?start=3&t=1#a", "src",
			"https://www.youtube.com/embed/x?start=3&t=1#a", Frame},
		{"iframe", "allow", "autoplay; camera; Fullscreen 'self';x", "allow", "autoplay; fullscreen", Plain},
		{"iframe", "sandbox", "allow-scripts allow-top-navigation", "sandbox", "allow-scripts", Plain},
		{"iframe", "referrerPolicy", "strict-origin", "referrerpolicy", "strict-origin", Plain},
		{"td", "colSpan", "2", "colspan", "2", Plain},
		{"div", "tabIndex", "0", "tabindex", "0", Plain},
		{"div", "aria-hidden", "true", "aria-hidden", "true", Plain},
		{"div", "data-fooBar", "x", "data-foobar", "x", Plain},
		{"h2", "noAnchor", "", "noanchor", "", Plain},
		{"span", "v-pre", "", "v-pre", "", Plain},
		{"a", "href", "javascript:x", "href", "javascript:x", URL}, // the resolver refuses it
		{"a", "target", "_BLANK", "target", "_blank", Plain},
		{"div", "style", "color: red", "style", "", Style},
		{"div", "key", "1", "", "", Nothing},
		{"svg", "xmlns", "http://www.w3.org/2000/svg", "", "", Nothing},
		{"animate", "attributeName", "opacity", "attributeName", "opacity", Plain},
		{"input", "defaultChecked", "", "checked", "", Flag},
		{"h2", "id", "x", "id", "x", ID},
		{"div", "dangerouslySetInnerHTML", "<b>", "", "<b>", InnerHTML},
	} {
		out, value, kind, ok := Attr(c.element, c.name, c.value)
		if !ok || out != c.out || value != c.want || kind != c.kind {
			t.Errorf("%s %s=%q gives %s=%q kind %d %v", c.element, c.name, c.value, out, value, kind, ok)
		}
	}
}

func TestHarmfulAttributesAreRefused(t *testing.T) {
	for _, c := range [][3]string{
		{"div", "onclick", "x"}, {"div", "onClick", "x"}, {"svg", "ONLOAD", "x"}, {"svg", "onbegin", "x"},
		{"div", "on", "x"},
		{"iframe", "srcDoc", "x"}, {"iframe", "srcdoc", "x"}, {"button", "formAction", "x"}, {"form", "action", "/x"},
		{"form", "method", "post"},
		{"a", "ping", "x"}, {"meta", "httpEquiv", "refresh"}, {"meta", "http-equiv", "refresh"}, {"div", "is", "x"},
		{"iframe", "src", "javascript:alert(1)"}, {"iframe", "src", "data:text/html,x"},
		{"iframe", "src", "/local.html"}, {"iframe", "src", "https:foo"},
		{"iframe", "src", "https://u:p@x/"}, {"iframe", "src", "ht\ntps://x/"}, {"iframe", "name", "x"},
		{"img", "name", "cookie"}, {"input", "type", " IMAGE"},
		{"use", "href", "data:image/svg+xml,x#a"}, {"use", "xlink:href", "https://evil/x.svg#a"},
		{"feImage", "href", "https://evil"},
		{"animate", "attributeName", "href"}, {"set", "attributeName", "xlink:href"},
		{"animate", "attributename", "onclick"}, {"animate", "attributeName", " href"},
		{"animate", "aTTributeName", "href"}, {"set", "ATTRIBUTENAME", "href"}, {"use", "XLINK:href", "data:x"},
		{"use", "xLinkHref", "data:x"}, {"meta", "hTTPEquiv", "refresh"}, {"svg", "XMLbase", "x"},
		{"g", "fill", "url(https://evil/#a)"}, {"g", "filter", "URL( 'data:x')"}, {"svg", "xml:base", "javascript:"},
		{"svg", "xmlBase", "x"},
		{"div", "a b", "x"}, {"div", `x"y`, "x"}, {"div", "<x", "x"}, {"div", "x=y", "x"}, {"div", "", "x"},
		{"div", "x/onclick", "x"}, {"div", "1x", ""}, {"div", "é", ""},
		{"a", "target", "other"}, {"div", "xmlns:x", "y"}, {"a", "xlink:show", "x"},
		{"iframe", "referrerPolicy", "unsafe-url"}, {"div", "id", "a b"},
	} {
		if out, value, kind, ok := Attr(c[0], c[1], c[2]); ok {
			t.Errorf("%q gives %s=%q kind %d", c, out, value, kind)
		}
	}
}

func TestValuesFollowReactsRules(t *testing.T) {
	style := &ast.Object{}
	style.Set("maxWidth", 10.0)
	inner := &ast.Object{}
	inner.Set("__html", "<b>x</b>")
	for _, c := range []struct {
		element, name string
		v             ast.Value
		out, want     string
		kind          AttrKind
		ok            bool
	}{
		{"video", "controls", true, "controls", "", Flag, true},
		{"video", "controls", false, "", "", Nothing, true},
		{"div", "aria-hidden", true, "aria-hidden", "true", Plain, true},
		{"div", "aria-hidden", false, "aria-hidden", "false", Plain, true},
		{"div", "draggable", false, "draggable", "false", Plain, true},
		{"img", "zoom", true, "zoom", "", Plain, true},
		{"img", "title", false, "", "", Nothing, true},
		{"img", "width", 200.0, "width", "200", Plain, true},
		{"img", "width", ast.Undefined{}, "", "", Nothing, true},
		{"img", "onClick", nil, "", "", Nothing, true},
		{"button", "onClick", ast.Opaque{Type: "function"}, "", "", Nothing, false},
		{"button", "ref", ast.Opaque{Type: "function"}, "", "", Nothing, true},
		{"div", "style", style, "style", "", Style, true},
		{"div", "dangerouslySetInnerHTML", inner, "", "<b>x</b>", InnerHTML, true},
	} {
		out, value, kind, ok := AttrOf(c.element, c.name, c.v)
		if out != c.out || value != c.want || kind != c.kind || ok != c.ok {
			t.Errorf("%s %s=%v gives %s=%q kind %d %v", c.element, c.name, c.v, out, value, kind, ok)
		}
	}
}

func TestStyleTextCannotEndItsElement(t *testing.T) {
	for in, want := range map[string]string{
		"a > b { color: red }":                  "a > b { color: red }",
		"</style><script>":                      `\3c /style>\3c script>`,
		"@media (width < 40rem) and (400<=x){}": "@media (width < 40rem) and (400<=x){}",
		"<!--":                                  `\3c !--`, "x<": `x\3c `, "<img": `\3c img`, "a\x00": "a\uFFFD",
	} {
		if got := StyleText(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

func TestSourceSetsAreParsedAndJoined(t *testing.T) {
	for in, want := range map[string]string{
		"a.png, b.png 2x":                     "a.png, b.png 2x",
		" /a,b.png 640w ,\n/c.png  1280w,":    "/a,b.png 640w, /c.png 1280w",
		"a.png,b.png":                         "a.png,b.png",
		"a.png 2x, b.png onerror=1, c.png 3x": "a.png 2x, c.png 3x",
		"":                                    "",
		",,, ,":                               "",
	} {
		if got := JoinSources(Sources(in)); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

func TestFramesGetSandboxUnlessAuthorSetsStricterOne(t *testing.T) {
	names := func(all []Extra) string {
		var out []string
		for _, x := range all {
			out = append(out, x.Name)
		}
		return strings.Join(out, " ")
	}
	if got := names(Added("iframe", func(string) bool { return false })); got != "sandbox referrerpolicy loading" {
		t.Error(got)
	}
	if got := names(Added("iframe", func(n string) bool { return n == "sandbox" })); got != "referrerpolicy loading" {
		t.Error(got)
	}
	if got := names(Added("div", func(string) bool { return false })); got != "" {
		t.Error(got)
	}
}
