package layout

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/site"
)

// method writes the method of a page about an API as a label. It writes nothing for other pages; ref may be nil. If the
// title consists of a method and a path, it returns the title without the method. Otherwise it returns the title
// unchanged.
func method(d *htmlbuf.Buffer, ref *site.APIRef, title string) string {
	if ref == nil {
		return title
	}
	name := ref.Method
	switch ref.Kind {
	case site.APIWebhook:
		name = "WEBHOOK"
	case site.APIOperation, site.APIManual:
	default:
		return title
	}
	if name == "" {
		return title
	}
	d.Raw(`<span class="method method-nav-pill"`)
	d.Attr("data-method", strings.ToLower(name))
	d.Raw(" data-platform>")
	d.Text(short(name))
	d.Raw("</span>")
	if rest, cut := strings.CutPrefix(title, name+" /"); cut {
		return "/" + rest
	}
	return title
}

// short abbreviates methods, so that the labels in a sidebar have similar widths.
func short(method string) string {
	switch method {
	case "DELETE":
		return "DEL"
	case "OPTIONS":
		return "OPT"
	case "WEBHOOK":
		return "HOOK"
	}
	return method
}
