package stylesheet

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/render/contract"
)

// Translate makes the selectors of an author's sheet match our HTML in cases where our HTML cannot use the same names:
// elements such as "callout", which are classes here, and ids that would occur several times on a page. A translated
// selector keeps its specificity and still matches what it originally named: "callout" becomes
// ":is(callout,:where(.callout))". Author variables that have the same name as a theme variable are renamed, both in
// declarations and in uses, so that they do not change the theme.
func Translate(src []byte) []byte {
	t := &translator{scanner: scanner{src: readable(src)}}
	t.sheet()
	if t.from == 0 {
		return t.src
	}
	return append(t.out, t.src[t.from:]...)
}

type translator struct {
	scanner
	out  []byte
	from int // src up to here has been written to out
}

// put replaces a part of the sheet.
func (t *translator) put(start, end int, instead string) {
	t.out = append(append(t.out, t.src[t.from:start]...), instead...)
	t.from = end
}

// sheet reads statements. Each ends with a semicolon, with the block that it opens, or with the enclosing block.
func (t *translator) sheet() {
	var statement []token
	var open brackets
	for {
		k, ok := t.next()
		if !ok {
			return
		}
		if k.kind == name && themeVariable(k.value) {
			k.value = "--author-" + strings.TrimPrefix(k.value, "--")
		}
		statement = append(statement, k)
		c := byteOf(t.src, k)
		if len(open) == 0 && (c == '{' || c == '}' || c == ';') {
			t.statement(statement, c == '{')
			statement = statement[:0]
			continue
		}
		if c != '{' && c != '}' {
			open.take(k, c)
		}
	}
}

// statement writes a statement with its variables renamed and, if it is the head of a rule, its selectors
// translated.
func (t *translator) statement(all []token, block bool) {
	first := slices.IndexFunc(all, func(k token) bool { return k.kind != blank })
	if first < 0 {
		return
	}
	head := all[first]
	if block && head.kind != keyword && !strings.HasPrefix(head.value, "--") {
		t.selectors(all[first : len(all)-1])
		return
	}
	for _, k := range all {
		if k.kind == name && strings.HasPrefix(k.value, "--author-") && k.end-k.start < len(k.value) {
			t.put(k.start, k.end, k.value)
		}
	}
}

// selectors translates the head of a rule.
func (t *translator) selectors(all []token) {
	inside := []bool{true} // for each open bracket: whether it contains selectors
	var open brackets
	not := 0 // the depth of the :not(…) that contains the token; 0 = none
	var in surroundings
	for i, k := range all {
		c, depth := byteOf(t.src, k), len(open)
		open.take(k, c)
		switch {
		case len(open) > depth && k.kind == function:
			if k.value == "not" && not == 0 {
				not = len(open)
			}
			inside = append(inside, takesSelectors(k.value))
			continue
		case len(open) > depth:
			if inside[depth] && k.start >= t.from {
				t.attribute(all, i, not > 0, &in)
			}
			inside = append(inside, false)
			continue
		case len(open) < depth:
			if inside = inside[:depth]; len(open) < not {
				not = 0
			}
			continue
		case c == ',' && depth == 0:
			in = surroundings{}
			continue
		case !inside[depth] || k.start < t.from: // in the second case, it has been written already
			continue
		}
		t.simple(all, i, &in)
	}
}

// simple translates a simple selector other than an attribute. all[i] is the selector's name, or a combinator.
func (t *translator) simple(all []token, i int, in *surroundings) {
	k := all[i]
	var before byte
	if i > 0 && all[i-1].end == k.start {
		before = byteOf(t.src, all[i-1])
	}
	own := string(t.src[k.start:k.end])
	switch {
	case strings.HasPrefix(own, "#"):
		in.enter(own)
		if instead := aliases[own]; instead != "" {
			t.put(k.start, k.end, either(own, instead))
		}
	case k.kind == name && before == '.':
		in.enter("." + own)
		if instead := aliases["."+own]; instead != "" {
			t.put(k.start-1, k.end, either("."+own, instead))
		}
	case k.kind == name && before != ':':
		in.enter("." + own)
		if instead, end := t.element(k, all[i+1:], in); instead != "" {
			t.put(k.start, end, either(string(t.src[k.start:end]), instead))
		}
	case k.kind == blank || own == ">" || own == "+" || own == "~":
		in.isCard = false
		if own == ">" && in.sidebar {
			t.child(all, i)
		}
	}
}

// element returns the replacement for an element's name, or "". end is the end of the replaced text.
func (t *translator) element(k token, after []token, in *surroundings) (instead string, end int) {
	rest, class := "", ""
	if len(after) > 1 && after[0].start == k.end {
		switch byteOf(t.src, after[0]) {
		case '[':
			rest = after[1].value
		case '.':
			class = after[1].value
		}
	}
	_, component := slices.BinarySearch(contract.Classes, class)
	switch {
	case aliases[k.value] != "":
		return aliases[k.value], k.end
	case rest == "data-component-part":
		return "*", k.end // the part is a different element here
	case component:
		return "*", k.end // such as a.card
	case rest == "class" && k.value == "a":
		if word, _, part := t.wordOfClass(after, 0); part && word == "card" {
			return ".card-linked", k.end
		}
		return "", k.end
	case in.sidebar && (k.value == "h5" || k.value == "h6"):
		return ".sidebar-title", k.end
	case in.card && k.value == "h2":
		return `[data-component-part="card-title"]`, k.end
	case (in.sidebar || in.fold) && k.value == "button":
		return t.opener(k, after)
	}
	if _, ok := slices.BinarySearch(contract.Classes, k.value); ok {
		return "." + k.value, k.end
	}
	return "", k.end
}

// either returns a selector that matches what own or instead matches, with the specificity of own.
func either(own, instead string) string { return ":is(" + own + ",:where(" + instead + "))" }

func takesSelectors(function string) bool {
	switch function {
	case "is", "where", "not", "has", "matches", "-webkit-any", "-moz-any":
		return true
	}
	return false
}

// aliases maps names that real sheets use to their equivalents here.
var aliases = map[string]string{
	"navbar": "#navbar", "sidebar": "#sidebar", "panel": "#panel", "link": ".prose a[href]", ".link": ".prose a[href]",
	"#sidebar-group": ".sidebar-group", "#sidebar-title": ".sidebar-title", "#mdx-content": "#content",
	"#search-bar-entry-mobile": "#search-bar-entry", "#assistant-entry-mobile": "#assistant-entry",
	"#almond-background-color": "#background-color", "#card-content": `[data-component-part="card-content"]`,
	"#mobile-nav-content": "#sidebar-content", "#localization-select-item": "#localization-select-content a",
	"#text-selection-tooltip": "#text-selection-tooltip-button", "#code-snippet-feedback-button": "button.report",
	".code-block-background": ".code-block pre", "#card-link-arrow-icon": ".card-arrow",
}

// byteOf returns the byte of a single-byte token, otherwise 0.
func byteOf(src []byte, t token) byte {
	if t.kind == other && t.end == t.start+1 {
		return src[t.start]
	}
	return 0
}

// themeVariable reports whether the theme declares a variable with that name on the root element.
func themeVariable(name string) bool {
	_, ok := slices.BinarySearch(themeVariables, name)
	return ok
}
