package htmlpolicy

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// AttrKind tells the caller how to handle a value.
type AttrKind int

const (
	Plain  AttrKind = iota // write it
	Flag                   // write only the name
	ID                     // an id, which must be reserved on the page
	Class                  // class names, some of which may need utility styles
	URL                    // the URL of a link: resolve it
	Image                  // the URL of an image, video or sound: resolve it as a file
	SrcSet                 // URLs of images: resolve each of them (Sources, JoinSources)
	Frame                  // a complete https URL on another site
	// CSS declarations: write the result of package cssstyle for the property's value; outValue is ""
	Style
	InnerHTML // the content of the element as HTML: render the result of Parse instead of the children
	Nothing   // known and dropped without a warning: key, ref …
)

const (
	// nothingNames have a meaning only in React, or no meaning at all.
	nothingNames = `key ref children suppresshydrationwarning suppresscontenteditablewarning autofocus contenteditable nonce integrity
		crossorigin csp fetchpriority xmlns xmlns:xlink xml:space jsx`
	// refusedAttrs run code, send data elsewhere, or change the meaning of other attributes.
	refusedAttrs = `srcdoc formaction formmethod formenctype formtarget action method enctype ping http-equiv is manifest codebase classid
		archive code data dynsrc lowsrc profile xml:base shadowrootmode shadowrootclonable srcobject innerhtml attributionsrc`
	// animatable lists the attributes that <animate> and <set> may change. None of them contains a URL or code.
	animatable = `clip-path color cx cy d display dx dy fill fill-opacity fill-rule filter font-size fx fy gradientTransform height
		letter-spacing markerHeight markerWidth mask numOctaves offset opacity pathLength patternTransform points r refX refY rotate rx ry scale
		seed startOffset stdDeviation stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
		stroke-miterlimit stroke-opacity stroke-width surfaceScale tableValues textLength transform values viewBox visibility width x x1 x2 y
		y1 y2 baseFrequency`
)

var (
	nothing   = set(nothingNames)
	refused   = set(refusedAttrs)
	animated  = set(animatable)
	windows   = set("_blank _self _parent _top")
	referrers = set(
		"no-referrer no-referrer-when-downgrade origin origin-when-cross-origin same-origin strict-origin strict-origin-when-cross-origin")
	clobbering   = set("img form iframe") // their name attribute would hide a property of document
	fragmentOnly = set(
		"use feimage mpath textpath lineargradient radialgradient pattern filter mask clippath marker animate animatemotion animatetransform set symbol")
)

// Attr checks an attribute of an allowed element. If ok is false, the attribute must not be written. name may have the
// React or the HTML spelling. value is the converted value, or "" for an attribute without a value.
func Attr(element, name, value string) (outName, outValue string, kind AttrKind, ok bool) {
	if name == "dangerouslySetInnerHTML" {
		return "", value, InnerHTML, true
	}
	if !validName(name) {
		return "", "", Nothing, false
	}
	lower, element := strings.ToLower(name), strings.ToLower(element)
	out := spelt(name)
	switch {
	case nothing[lower] || nothing[out]:
		return "", "", Nothing, true
	case refused[lower] || refused[out] || strings.HasPrefix(lower, "on") || strings.HasPrefix(lower, "xmlns") ||
		strings.HasPrefix(lower, "xlink:") && out != "href":
		return "", "", Nothing, false
	case out == "style":
		return out, "", Style, true
	case flags[out]:
		return out, "", Flag, true
	case out == "class":
		return out, value, Class, true
	case out == "id":
		return out, value, ID, ValidID(value)
	}
	if kind, is := addressKind(element, out); is {
		return address(element, out, value, kind)
	}
	value, ok = plainValue(element, out, value)
	return out, value, Plain, ok
}

// ValidID reports whether an id can be the target of a link: it must not contain white space or control characters.
func ValidID(id string) bool {
	return id != "" && !strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r == 0x7f })
}

// addressKind returns the kind of an attribute that contains URLs.
func addressKind(element, name string) (AttrKind, bool) {
	switch name {
	case "href":
		if element == "image" || element == "feimage" {
			return Image, true
		}
		return URL, true
	case "cite", "longdesc":
		return URL, true
	case "src":
		if element == "iframe" {
			return Frame, true
		}
		return Image, true
	case "poster", "background":
		return Image, true
	case "srcset":
		return SrcSet, true
	}
	return Plain, false
}

func address(element, name, value string, kind AttrKind) (string, string, AttrKind, bool) {
	switch {
	case kind == Frame:
		value, ok := frameAddress(value)
		return name, value, Frame, ok
	case name == "src" && element == "input":
		return "", "", Nothing, false
	case fragmentOnly[element]:
		// Only references within the page are safe. Others could draw another document into the page, and data: URLs
		// can contain scripts.
		value = strings.TrimSpace(value)
		return name, value, Plain, strings.HasPrefix(value, "#")
	}
	return name, value, kind, true
}

// Rel returns the rel attribute that a link needs so that a page in a new window does not get access to this one.
// target and rel are the values that Attr permitted, or "" if the author set none.
func Rel(target, rel string) string {
	var out []string
	for word := range strings.FieldsSeq(strings.ToLower(rel)) {
		if word != "opener" {
			out = append(out, word)
		}
	}
	if target == "_blank" && !slices.Contains(out, "noopener") {
		out = append(out, "noopener")
	}
	return strings.Join(out, " ")
}

// plainValue checks the values of attributes that can have harmful values.
func plainValue(element, name, value string) (string, bool) {
	switch name {
	case "target":
		value = strings.ToLower(strings.TrimSpace(value))
		return value, windows[value]
	case "name":
		return value, !clobbering[element]
	case "attributeName":
		return value, animated[value]
	case "values", "from", "to", "by": // values of an animation; the check of attributeName has excluded URLs
		return value, !strings.Contains(strings.ToLower(value), "script:") && !foreignReference(value)
	case "type":
		return value, element != "input" || !strings.EqualFold(strings.TrimSpace(value), "image")
	case "sandbox":
		return keepWords(value, sandbox, " "), element == "iframe"
	case "allow":
		return keepFeatures(value), element == "iframe"
	case "referrerpolicy":
		value = strings.ToLower(strings.TrimSpace(value))
		return value, referrers[value]
	}
	return value, !foreignReference(value)
}

// foreignReference reports whether a presentation attribute such as fill="url(…)" refers to something outside
// the page.
func foreignReference(value string) bool {
	rest := strings.ToLower(value)
	for {
		_, after, found := strings.Cut(rest, "url(")
		if !found {
			return false
		}
		if rest = strings.TrimLeft(after, " \t\r\n\f\"'"); !strings.HasPrefix(rest, "#") {
			return true
		}
	}
}

// AttrOf is Attr for an evaluated value. It applies React's rules for values other than strings: null, undefined and
// functions are dropped. true writes only the name, and false is dropped; for aria-* and data-*, they are written as
// "true" and "false".
func AttrOf(element, name string, v ast.Value) (outName, outValue string, kind AttrKind, ok bool) {
	switch v := v.(type) {
	case nil, ast.Undefined:
		return "", "", Nothing, true
	case ast.Opaque:
		_, _, _, ok = Attr(element, name, "") // the value is a function: a handler needs a warning, a ref does not
		return "", "", Nothing, ok
	case bool:
		return boolean(element, name, v)
	case *ast.Object:
		if name == "dangerouslySetInnerHTML" {
			html, _ := v.Get("__html").(string)
			return Attr(element, name, html)
		}
	}
	return Attr(element, name, ast.String(v))
}

// spoken lists attributes for which the value false differs from a missing attribute.
var spoken = set("draggable spellcheck translate autocomplete download focusable preservealpha")

func boolean(element, name string, on bool) (string, string, AttrKind, bool) {
	out, value, kind, ok := Attr(element, name, "")
	switch {
	case !ok || kind == Nothing:
		return out, value, kind, ok
	case kind == Flag && on:
		return out, "", Flag, true
	case strings.HasPrefix(out, "aria-") || strings.HasPrefix(out, "data-") ||
		spoken[strings.ToLower(out)] && kind == Plain:
		return out, map[bool]string{true: "true", false: "false"}[on], Plain, true
	case kind == Plain && on:
		return out, "", Plain, true // <img zoom>: the author's own attribute
	}
	return "", "", Nothing, true
}
