package component

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/cssstyle"
)

func colorComponents() []Component {
	return []Component{
		{Name: "Color", Render: renderColor, Props: []Prop{{Name: "variant", Kind: Word,
			Values: []string{"compact", "table"}}, {Name: "title", Kind: Text}}},
		{Name: "Color.Row", Render: renderColorRow, Props: []Prop{{Name: "title", Kind: Text}}},
		{Name: "Color.Item", Render: renderColorItem,
			Props: []Prop{{Name: "name", Kind: Text}, {Name: "value", Kind: Data, Required: true}}},
	}
}

func renderColor(w *Writer, e *ast.Element) {
	class := "color palette palette-compact"
	if e.Str("variant") == "table" {
		class = "color palette palette-table"
	}
	w.start("div", class, w.own(e), e)
	w.Raw(`>`)
	w.Render(e.Children)
	w.Raw(`</div>`)
}

func renderColorRow(w *Writer, e *ast.Element) {
	w.start("div", "color-row palette-row", w.own(e), e)
	w.Raw(`>`)
	if title := w.plain(e, "title"); title != nil {
		w.Raw(`<p class="palette-title">`)
		w.Render(title)
		w.Raw(`</p>`)
	}
	w.Raw(`<div class="palette-items">`)
	w.Render(e.Children)
	w.Raw(`</div></div>`)
}

// renderColorItem writes a colour. Its value is either one colour for all pages, or one for light and one for dark
// pages.
func renderColorItem(w *Writer, e *ast.Element) {
	light, dark, text := "", "", ""
	if o, ok := e.Prop("value").(*ast.Object); ok {
		l, _ := scalar(o.Get("light"))
		d, _ := scalar(o.Get("dark"))
		if l == "" {
			l = d
		}
		if d == "" {
			d = l
		}
		light, dark, text = l, d, l
		if d != l {
			text = l + " / " + d
		}
	} else {
		text = e.Str("value")
		light, dark = text, text
	}
	cssLight, ok1 := swatch(light)
	cssDark, ok2 := swatch(dark)
	if !ok1 || !ok2 {
		w.Warn(propSpan(e, "value"), "bad-prop", "The prop value of <"+e.Name+"> is not a colour.",
			"Write #rrggbb, rgb(…), hsl(…), oklch(…) or a name.")
	}
	w.start("div", "color-item palette-item", w.own(e), e)
	w.Raw(`><span class="palette-swatch"`)
	if ok1 && ok2 {
		w.Attr("style", "--light: "+cssLight+"; --dark: "+cssDark)
	}
	w.Raw(`></span><span class="palette-text">`)
	if name := e.Str("name"); name != "" {
		w.Raw(`<span class="palette-name">`)
		w.Text(name)
		w.Raw(`</span> `)
	}
	w.Raw(`<span class="palette-value">`)
	w.Text(text)
	w.Raw(`</span>`)
	w.Render(e.Children) // items have no content by design, but an author's content must not be lost
	w.Raw(`</span></div>`)
}

// swatch returns a value that can be used as a colour: hexadecimal digits, a name, or a colour function. Variables
// of the page are allowed too, for palettes that show them.
func swatch(value string) (css string, ok bool) {
	css, ok = cssstyle.Color(value)
	if !ok {
		return "", false
	}
	low := strings.ToLower(css)
	if digits, hex := strings.CutPrefix(low, "#"); hex {
		return css, strings.Trim(digits, "0123456789abcdef") == "" && len(digits) >= 3 && len(digits) <= 8
	}
	name, rest, call := strings.Cut(low, "(")
	if !call {
		return css, strings.Trim(low, "abcdefghijklmnopqrstuvwxyz") == ""
	}
	switch name {
	case "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color", "color-mix", "var":
		return css, strings.HasSuffix(rest, ")") &&
			strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz0123456789.,%/+-#_() ") == ""
	}
	return "", false
}
