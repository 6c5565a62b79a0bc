package layout

import (
	"bytes"
	"html"
)

// lit is HTML written in this package's source. Only untyped constants become one without a conversion, and there is none here, so
// author text cannot reach raw by mistake.
type lit string

// doc is an HTML document in the making.
type doc struct{ buf bytes.Buffer }

func (d *doc) raw(parts ...lit) {
	for _, p := range parts {
		d.buf.WriteString(string(p))
	}
}

// text writes escaped text.
func (d *doc) text(s string) { d.buf.WriteString(html.EscapeString(s)) }

// attr writes name="value", escaped, with a space before it.
func (d *doc) attr(name lit, value string) {
	d.raw(" ", name, `="`)
	d.text(value)
	d.raw(`"`)
}

// attrIf writes the attribute unless the value is "".
func (d *doc) attrIf(name lit, value string) {
	if value != "" {
		d.attr(name, value)
	}
}

// rendered writes the HTML of a page's body, which the render room vouches for.
func (d *doc) rendered(body []byte) { d.buf.Write(body) }
