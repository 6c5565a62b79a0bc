package guard

import (
	"encoding/json"
	"path"
	"reflect"
	"strings"
)

// Kinds of files by extension.
var (
	pageEnds   = words(".md .mdx .markdown")
	codeEnds   = words(".js .mjs .cjs .ts .mts .cts")
	partEnds   = words(".jsx .tsx")
	markupEnds = words(".html .htm .svg .xml .xhtml")
)

// script reports code that a change adds and that would run in readers' browsers.
func (c *checker) script(a *added) {
	switch end := strings.ToLower(path.Ext(a.path)); {
	case pageEnds[end]:
		c.page(a)
	case codeEnds[end]:
		c.addFinding(0, Script, !c.allowed(a.path), "The file is code that may run in every reader's browser.")
	case partEnds[end]:
		c.addFinding(0, Expression, false,
			"The file is a component: its code runs when the site is built and in readers' browsers.")
		c.rawLines(a, !c.allowed(a.path))
	case markupEnds[end] || end == ".css":
		c.rawLines(a, !c.allowed(a.path))
	case siteFile(a.path):
		c.rawLines(a, true)
		c.integrations(a)
	default:
		c.rawLines(a, false)
	}
}

// rawLines checks new lines of a file that is not parsed for code.
func (c *checker) rawLines(a *added, block bool) {
	for i, line := range a.lines {
		if !a.fresh[i] {
			continue
		}
		if what := rawScript(line); what != "" {
			c.addFinding(i+1, Script, block, "The line has %s.", what)
		}
	}
}

// rawScript returns the kind of code in a piece of markup, a style sheet or an expression, or "".
func rawScript(text string) string {
	if !strings.ContainsAny(text, "<:=&\\@") {
		return ""
	}
	text = strings.ToLower(undisguised(text))
	for _, m := range []struct{ sign, what string }{
		{"<script", "a script"}, {"</script", "a script"}, {"<iframe", "a frame"}, {"<frame", "a frame"},
		{"<object", "an embedded object"}, {"<embed",
			"an embedded object"},
		{"<base ", "a new base address"}, {"<foreignobject", "HTML inside an image"},
		{"http-equiv", "an instruction to the browser (http-equiv)"},
		{"srcdoc", "a frame with inline content"}, {"dangerouslysetinnerhtml", "HTML in a string"},
		{"javascript:", "code in an address"}, {"vbscript:",
			"code in an address"},
		{"data:text/html", "an HTML page in an address"}, {"data:application/xhtml", "an HTML page in an address"},
		{"-moz-binding", "code in a style"},
	} {
		if strings.Contains(text, m.sign) {
			return m.what
		}
	}
	if handler(text) {
		return "an event handler"
	}
	if strings.Contains(text, "@import") && (strings.Contains(text, "//") || strings.Contains(text, "data:")) {
		return "an import from outside the site"
	}
	return ""
}

// handler reports whether a lower-case text contains an attribute such as onclick=, after white space, a quote or a
// slash.
func handler(text string) bool {
	for i := 1; i+3 < len(text); i++ {
		if text[i] != 'o' || text[i+1] != 'n' || strings.IndexByte(" \t\n\r\f\"'/", text[i-1]) < 0 {
			continue
		}
		end := i + 2
		for end < len(text) && text[end] >= 'a' && text[end] <= 'z' {
			end++
		}
		name := end - i - 2
		for end < len(text) && (text[end] == ' ' || text[end] == '\t') {
			end++
		}
		if name >= 3 && name <= 24 && end+1 < len(text) && text[end] == '=' &&
			strings.IndexByte("\"'{ ", text[end+1]) >= 0 && inTag(text, i) {
			return true
		}
		i = max(i, end-1)
	}
	return false
}

// inTag reports whether a tag is open at i, judging by a single line.
func inTag(text string, i int) bool {
	const far = 2000
	before := text[max(0, i-far):i]
	open := strings.LastIndexByte(before, '<')
	return open >= 0 && strings.LastIndexByte(before, '>') < open ||
		!strings.ContainsAny(before, "<>") && strings.TrimSpace(before) == ""
}

// siteFile reports whether a file configures the whole site.
func siteFile(name string) bool {
	base := path.Base(name)
	return base == "docs.json" || base == "mint.json"
}

// integrations reports when the site file starts sending readers' activity to a new third party. keys are the
// settings that can do so.
func (c *checker) integrations(a *added) {
	keys := []string{"integrations", "analytics", "feedback", "head", "scripts", "security", "api.proxy"}
	before, after := object(a.before), object(a.after)
	for _, key := range keys {
		if was, is := before[key], after[key]; is != nil && !reflect.DeepEqual(was, is) {
			c.addFinding(0, Integration, false,
				"The key %q in the site file was changed: it can send readers' activity to third parties.", key)
		}
	}
}

// object returns the members of a JSON object, or nil if the text is not an object.
func object(text string) map[string]any {
	var out map[string]any
	if json.Unmarshal([]byte(text), &out) != nil {
		return nil
	}
	return out
}
