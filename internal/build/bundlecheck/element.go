package bundlecheck

import (
	"mime"
	"strings"
)

// element is a start tag.
type element struct {
	*document
	name   string
	offset int // offset in the document
	attrs  []attribute
}

// get returns the value of an attribute.
func (e *element) get(name string) (string, bool) {
	for _, a := range e.attrs {
		if a.name == name {
			return a.value, true
		}
	}
	return "", false
}

// read examines the element's attributes.
func (e *element) read() {
	for _, a := range e.attrs {
		e.attribute(a)
	}
}

// at returns a position in an attribute's value.
func (e *element) at(a attribute, delta int) spot { return spot{e.offset, a.name, delta} }

func (e *element) attribute(a attribute) {
	switch a.name {
	case "id":
		e.anchor(a.value)
	case "name":
		if e.name == "a" || e.name == "map" {
			e.anchor(a.value)
		}
	case "href", "xlink:href":
		e.href(a)
	case "src":
		e.ref(e.at(a, 0), a.value, e.source(), e.noun())
	case "srcset", "imagesrcset":
		candidates(a.value, func(offset int, address string) { e.ref(e.at(a, offset), address, shows, "picture") })
	case "poster", "background", "lowsrc", "dynsrc":
		e.ref(e.at(a, 0), a.value, shows, "picture")
	case "data":
		if e.name == "object" {
			e.ref(e.at(a, 0), a.value, shows, "object")
		}
	case "code", "archive", "codebase", "classid":
		if e.name == "object" || e.name == "applet" {
			e.ref(e.at(a, 0), a.value, shows, "object")
		}
	case "action", "formaction":
		e.ref(e.at(a, 0), a.value, goes, "form")
	case "ping":
		words(a.value, func(offset int, address string) { e.ref(e.at(a, offset), address, contacts, "ping") })
	case "content":
		e.meta(a)
	case "srcdoc":
		e.nested(a)
	case "to", "from", "by", "values":
		e.animation(a)
	default:
		e.rare(a)
	}
}

// rare examines attributes whose names have a common prefix, or that contain CSS.
func (e *element) rare(a attribute) {
	switch {
	case strings.HasPrefix(a.name, "on") && len(a.name) > 2:
		e.code(e.at(a, 0), "the handler "+a.name)
	case strings.HasPrefix(a.name, "data-"):
		e.ours(a)
	case a.name == "style", a.name == "fill", a.name == "stroke", a.name == "filter", a.name == "mask",
		a.name == "clip-path", a.name == "cursor",
		strings.HasPrefix(a.name, "marker"):
		e.style(e.at(a, 0), a.value)
	}
}

// ours examines the attributes that tell the platform's scripts what to load.
func (e *element) ours(a attribute) {
	switch a.name {
	case "data-engine", "data-index", "data-mermaid-src", "data-copy-page", "data-mark":
		e.ref(e.at(a, 0), a.value, loads, "file")
	case "data-fonts":
		words(a.value, func(offset int, address string) { e.ref(e.at(a, offset), address, loads, "font") })
	case "data-count", "data-feedback": // the endpoints for visits and readers' feedback
		// otherwise the endpoint is on the page's own host, whether or not a server answers there
		if to := parseAddress(a.value); to.form == elsewhere || to.form == hostless {
			e.ref(e.at(a, 0), a.value, contacts, "counter")
		}
	case "data-to": // the target of a redirect by our script; the page also has it as a link
		to := parseAddress(a.value)
		if e.name == "script" && (to.form == elsewhere || to.form == hostless || to.form == script) {
			e.ref(e.at(a, 0), a.value, goes, "redirect")
		}
	case "data-root":
		if _, search := e.get("data-engine"); search {
			e.ref(e.at(a, 0), a.value, roots, "folder")
		}
	}
}

// href examines an address whose meaning depends on the element.
func (e *element) href(a attribute) {
	switch e.name {
	case "a", "area":
		e.ref(e.at(a, 0), a.value, goes, "link")
	case "base":
		e.ref(e.at(a, 0), a.value, rebases, "base address")
	case "link":
		e.link(a)
	case "image", "feimage":
		e.ref(e.at(a, 0), a.value, shows, "picture")
	default: // use, script and other elements of SVG
		e.ref(e.at(a, 0), a.value, loads, e.noun())
	}
}

// link examines a link element according to its rel values. Canonical addresses and those of translations refer to the
// published site, so they are not followed.
func (e *element) link(a attribute) {
	rels, _ := e.get("rel")
	rels = " " + strings.ToLower(strings.Join(strings.Fields(rels), " ")) + " "
	has := func(rel string) bool { return strings.Contains(rels, " "+rel+" ") }
	_, translated := e.get("hreflang")
	switch {
	case has("stylesheet"):
		e.ref(e.at(a, 0), a.value, loads, "style sheet")
	case strings.Contains(rels, "icon"):
		e.ref(e.at(a, 0), a.value, shows, "icon")
	case has("preload"), has("modulepreload"), has("prefetch"), has("prerender"), has("manifest"), has("import"):
		e.ref(e.at(a, 0), a.value, loads, "file")
	case has("preconnect"), has("dns-prefetch"):
		e.ref(e.at(a, 0), a.value, contacts, "address")
	case has("canonical"), has("alternate") && translated, has("shortlink"), has("amphtml"):
	default:
		e.ref(e.at(a, 0), a.value, goes, "link")
	}
}

// source returns the use of src. A page does not work if a script is missing; any other missing file only leaves a gap.
func (e *element) source() use {
	if e.name == "script" {
		return loads
	}
	return shows
}

func (e *element) noun() string {
	switch e.name {
	case "script":
		return "script"
	case "img", "image", "source", "input":
		return "picture"
	case "iframe", "frame", "embed":
		return "frame"
	case "video", "audio", "track":
		return "recording"
	}
	return "file"
}

// meta examines the content of a meta element that redirects readers.
func (e *element) meta(a attribute) {
	if equiv, _ := e.get("http-equiv"); e.name != "meta" || !strings.EqualFold(strings.TrimSpace(equiv), "refresh") {
		return
	}
	if offset, address, ok := refreshed(a.value); ok {
		e.ref(e.at(a, offset), address, goes, "redirect")
	}
}

// nested examines a document inside an attribute. The ids in it do not count as ids of the page.
func (e *element) nested(a attribute) {
	if e.depth >= maxDepth {
		e.code(e.at(a, 0), "a document nested in two other documents")
		return
	}
	inner := *e.reader
	inner.plan = nil
	inner.anchor, inner.depth = func(string) {}, e.depth+1
	inner.ref = func(_ spot, value string, u use, what string) { e.ref(e.at(a, 0), value, u, what) }
	inner.style = func(_ spot, css string) { e.style(e.at(a, 0), css) }
	inner.code = func(_ spot, what string) { e.code(e.at(a, 0), what) }
	inner.read([]byte(a.value))
}

// animation examines the values that an SVG animation sets for an address.
func (e *element) animation(a attribute) {
	if target, _ := e.get("attributename"); strings.HasSuffix(strings.ToLower(target), "href") {
		for address := range strings.SplitSeq(a.value, ";") {
			e.ref(e.at(a, 0), address, loads, "file")
		}
	}
}

// runs reports whether a script element contains code rather than data.
func (e *element) runs() bool {
	kind, ok := e.get("type")
	if !ok || strings.TrimSpace(kind) == "" {
		language, _ := e.get("language")
		kind = "text/" + language
		if language == "" {
			return true
		}
	}
	kind = strings.ToLower(strings.TrimSpace(kind))
	if kind == "module" || kind == "importmap" || kind == "speculationrules" {
		return true
	}
	media, _, err := mime.ParseMediaType(kind)
	if err != nil {
		media = kind
	}
	for _, part := range []string{"javascript", "ecmascript", "jscript", "livescript"} {
		if strings.Contains(media, part) {
			return true
		}
	}
	return false
}
