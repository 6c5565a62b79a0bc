package layout

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/markup"
	"github.com/lectern-docs/lectern/internal/site"
)

// IconWriter writes the icon called name as inline SVG, in the library of the site. It reports whether there is one.
type IconWriter interface {
	WriteIcon(b *markup.Buffer, name, style string) bool
}

// icon writes the icon of a navigation entry: one of the library, else a picture by its path or address. A name nobody has draws nothing.
// It reports whether it wrote something.
func (f *Frame) icon(d *markup.Buffer, links Links, name string) bool {
	if name == "" {
		return false
	}
	before := d.Len()
	d.Raw(`<span class="nav-icon" aria-hidden="true">`)
	if !f.draw(d, links, name) {
		d.Truncate(before)
		return false
	}
	d.Raw("</span>")
	return true
}

func (f *Frame) draw(d *markup.Buffer, links Links, name string) bool {
	if f.icons != nil && f.icons.WriteIcon(d, name, "") {
		return true
	}
	if !strings.ContainsAny(name, "/.") {
		return false
	}
	src := links.Address(name)
	if src == "" {
		return false
	}
	d.Raw("<img")
	d.Attr("src", src)
	d.Raw(` alt="">`)
	return true
}

// icon is what stands before the entry: the navigation's own, else the page's.
func (e *entry) icon() string {
	if e.node.Icon == "" && e.page != nil && e.node.Kind == site.KindPage {
		return e.page.Icon
	}
	return e.node.Icon
}

// method writes the mark of a page about an API: how it is called.
func method(d *markup.Buffer, ref *site.APIRef) {
	if ref == nil {
		return
	}
	name := ref.Method
	switch ref.Kind {
	case site.APIWebhook:
		name = "webhook"
	case site.APIOperation, site.APIManual:
	default:
		return
	}
	if name == "" {
		return
	}
	d.Raw(`<span class="method"`)
	d.Attr("data-method", strings.ToLower(name))
	d.Raw(" data-platform>")
	d.Text(shortMethod(name))
	d.Raw("</span>")
}

// shortMethod keeps the marks of a sidebar about as wide as each other.
func shortMethod(name string) string {
	switch name {
	case "DELETE":
		return "DEL"
	case "OPTIONS":
		return "OPT"
	case "webhook":
		return "HOOK"
	}
	return name
}
