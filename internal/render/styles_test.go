package render

import "testing"

func TestStyleAttributesMoveIntoStyleSheet(t *testing.T) {
	for _, c := range []struct{ in, out, css string }{
		{`<p>a style="x" b</p>`, `<p>a style="x" b</p>`, ""},
		{`<p style="color:red">a</p>`, `<p class="s-f1ff77e5">a</p>`, ".s-f1ff77e5{color:red}\n"},
		{`<p class="a" style="color:red" id="x">a</p><b style="color:red" class="c">`,
			`<p class="s-f1ff77e5 a" id="x">a</p><b class="s-f1ff77e5 c">`, ".s-f1ff77e5{color:red}\n"},
		{`<p style="a:b}body{c:d">a</p>`, `<p>a</p>`, ""},
		{`<i style="font:&quot;A&quot;"></i>`, `<i class="s-df0df0b9"></i>`, ".s-df0df0b9{font:\"A\"}\n"},
		{`<i style="`, `<i style="`, ""},
	} {
		var s sheet
		if got := string(s.extractStyles([]byte(c.in))); got != c.out || s.out.String() != c.css {
			t.Errorf("%s\ngot  %s %q\nwant %s %q", c.in, got, s.out.String(), c.out, c.css)
		}
	}
}
