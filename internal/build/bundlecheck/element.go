package bundlecheck

import (
	"mime"
	"strings"
)

// element is a start tag.
type element struct {
	*document
	name   string
	offset int // in the document
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

// read reports what the element's attributes say.
func (e *element) read() {
	for _, a := range e.attrs {
		e.attribute(a)
	}
}

// at returns a place in an attribute's value.
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

// rare reads attributes whose names have a common beginning, or hold CSS.
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

// ours reads the attributes that tell our scripts what to load.
func (e *element) ours(a attribute) {
	switch a.name {
	case "data-engine", "data-index", "data-mermaid-src", "data-copy-page", "data-mark":
		e.ref(e.at(a, 0), a.value, loads, "file")
	case "data-fonts":
		words(a.value, func(offset int, address string) { e.ref(e.at(a, offset), address, loads, "font") })
	case "data-count", "data-feedback": // where visits are counted, and what readers say
		// else a server of ours answers on the page's own host, or none
		if to := parseAddress(a.value); to.form == elsewhere || to.form == hostless {
			e.ref(e.at(a, 0), a.value, contacts, "counter")
		}
	case "data-to": // where our script sends readers on; the page has the address as a link, too
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

// href reads an address whose meaning depends on the element.
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
	default: // use, script and others of SVG
		e.ref(e.at(a, 0), a.value, loads, e.noun())
	}
}

// link reads a link element by its kinds of relation. Canonical and translated addresses name the published site;
// they are not followed here.
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

// source returns what becomes of src. Whatever is no script only leaves a gap when it is missing.
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

// meta reads the content of a meta element that sends readers on.
func (e *element) meta(a attribute) {
	if equiv, _ := e.get("http-equiv"); e.name != "meta" || !strings.EqualFold(strings.TrimSpace(equiv), "refresh") {
		return
	}
	if offset, address, ok := refreshed(a.value); ok {
		e.ref(e.at(a, offset), address, goes, "redirect")
	}
}

// nested reads a document that stands in an attribute. Its ids are not the page's.
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

// animation reads values that SVG gives to an address as time goes by.
func (e *element) animation(a attribute) {
	if target, _ := e.get("attributename"); strings.HasSuffix(strings.ToLower(target), "href") {
		for address := range strings.SplitSeq(a.value, ";") {
			e.ref(e.at(a, 0), address, loads, "file")
		}
	}
}

// runs reports whether a script element holds code and not data.
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
