package bundlecheck

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"

	"github.com/lectern-docs/lectern/internal/render/stylesheet"
)

// use is what a browser does with an address.
type use int

const (
	goes     use = iota // a reader may follow it
	loads               // the page does not work without it: a style, script, font, or data of the platform
	shows               // an image, a sound, a frame: without it the page has a gap
	contacts            // the browser contacts a host, but shows nothing
	rebases             // base of all relative addresses
	roots               // folder of the site's first page
)

// reader parses documents. It reports its results through callbacks, in document order.
type reader struct {
	ref    func(at spot, value string, u use, what string) // an address; what is a noun for it
	style  func(at spot, css string)                       // a style sheet or a style attribute
	anchor func(name string)                               // an anchor on the page
	code   func(at spot, what string)                      // code in the page itself
	plan   func(at spot, data []byte)                      // what the playground would call; nil = ignored
	finder bool                                            // the page may contain the script that finds the root of its site
	depth  int                                             // nesting of documents in attributes
}

// maxDepth limits the nesting of documents.
const maxDepth = 4

// document is an HTML document that is being parsed.
type document struct {
	*reader
	foreign int // number of open SVG and MathML elements, in which style, title and others contain tags
}

// read parses a document. Whether something is text or a tag depends on its context, and on whether scripts run. If two
// interpretations are possible, it examines both.
func (r *reader) read(data []byte) { (&document{reader: r}).read(data, 0) }

// read parses the document, or a part of it that begins at base.
func (d *document) read(data []byte, base int) {
	z := html.NewTokenizer(bytes.NewReader(data))
	inside := "" // element whose content is text
	for at := base; ; {
		kind := z.Next()
		raw := z.Raw()
		switch kind {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			inside = d.tag(z, at)
		case html.EndTagToken:
			d.close(raw)
			inside = ""
		case html.TextToken:
			d.text(inside, raw, at)
		}
		at += len(raw)
	}
}

// text examines the content of an element that contains no markup.
func (d *document) text(inside string, raw []byte, at int) {
	if inside == "" {
		return
	}
	if inside == "plan" && d.plan != nil {
		d.plan(spot{offset: at}, raw)
	}
	if inside == "style" {
		d.style(spot{offset: at}, string(raw))
	}
	if inside == "script" && len(bytes.TrimSpace(raw)) > 0 {
		d.code(spot{offset: at}, "a script")
	}
	if d.foreign > 0 || inside == "noscript" {
		d.again(raw, at)
	}
}

// again parses text as markup, for browsers that interpret it as such.
func (d *document) again(raw []byte, at int) {
	switch {
	case bytes.IndexByte(raw, '<') < 0:
	case d.depth >= maxDepth:
		d.code(spot{offset: at}, "text that may be markup nested in two other levels of markup")
	default:
		d.depth++
		(&document{reader: d.reader, foreign: d.foreign}).read(bytes.Clone(raw), at)
		d.depth--
	}
}

// close handles an end tag.
func (d *document) close(raw []byte) {
	for _, name := range []string{"</svg", "</math"} {
		if len(raw) > len(name) && strings.EqualFold(string(raw[:len(name)]), name) {
			d.foreign = max(0, d.foreign-1)
		}
	}
}

// attribute is an attribute of a tag.
type attribute struct {
	name, value string
}

// tag examines a start tag. It returns the name of the element if its content is text.
func (d *document) tag(z *html.Tokenizer, at int) (inside string) {
	name, more := z.TagName()
	e := element{document: d, name: string(name), offset: at}
	for more { // each name occurs once
		var key, value []byte
		if key, value, more = z.TagAttr(); wanted(key) {
			e.attrs = append(e.attrs, attribute{name: string(key), value: string(value)})
		}
	}
	e.read()
	switch e.name {
	case "svg", "math":
		d.foreign++
	case "script":
		if _, finds := e.get("data-mark"); e.runs() && !(finds && d.finder) {
			return "script"
		}
		if _, plan := e.get("data-try-plan"); plan {
			return "plan"
		}
		return "data"
	case "style", "title", "textarea", "iframe", "noscript", "noembed", "noframes", "xmp", "plaintext":
		return e.name
	}
	return ""
}

// wanted reports whether an attribute has to be examined. It lets the most common other attributes be skipped quickly.
func wanted(key []byte) bool {
	switch string(key) {
	case "class", "alt", "width", "height", "role", "title", "lang", "aria-label", "aria-hidden", "viewbox", "d",
		"tabindex", "hidden":
		return false
	}
	return true
}

// styles calls found for everything that a sheet or the value of a style attribute loads.
func styles(css string, found func(a stylesheet.Address)) {
	if !strings.ContainsAny(css, "(@\\") {
		return
	}
	for _, a := range stylesheet.Addresses([]byte(css)) {
		found(a)
	}
}
