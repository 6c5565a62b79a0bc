package main

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/render/contract"
	"github.com/lectern-docs/lectern/internal/render/tailwind"
)

// outcome tells whether a selector in an author's style sheet matches something and, if not, why.
type outcome string

const (
	met     outcome = "met"     // matches an element of a page
	dead    outcome = "dead"    // names something that occurs neither in the author's files nor in the format
	utility outcome = "utility" // names utility classes that the author's files lack: markup inside another product
	unused  outcome = "unused"  // names a part of the format, or text elements, that no page of the site has
	later   outcome = "later"   // names something that only the author's code might add after the page has loaded
	missed  outcome = "missed"  // should match something
)

// absent lists names that the other product documents but that our pages do not have.
var absent = []string{
	"api-section-heading-subtitle", "ask-assistant-code-block-button", "changelog-filters", "changelog-filters-content",
	"chat-assistant-floating-input", "code-block-fade-overlay", "code-snippet-feedback-form-description",
	"contact-support-button", "contact-support-icon", "contact-support-text", "contextual-feedback-button",
	"contextual-feedback-container", "contextual-feedback-form", "contextual-feedback-form-submit-button",
	"contextual-feedback-form-title", "contextual-feedback-input", "endpoints-menu-trigger", "feedback-form-cancel",
	"login-link", "logout-link", "sidebar-nav-group-divider",
}

// scripted lists names that the theme's scripts set on pages.
var scripted = []string{"dark", "light", "data-active", "data-active-deepest"}

// classifier determines why a selector matches nothing, from the words in the author's files, the names of the format,
// and the content of the pages.
type classifier struct {
	words     map[string]bool // of attributes
	code      map[string]bool // of strings in scripts
	format    map[string]bool // names that pages have where they use that part of the format; tested in package build
	text      string          // of the author's files, for addresses
	pages     parts
	utilities *tailwind.Generator
}

var (
	word = regexp.MustCompile(`[\w-]+(?:[:/.][\w-]+)*`)
	// Class names and ids occur in attributes. The rest of a page is text, in which "number" is not a class.
	named = regexp.MustCompile(`(?i)(?:class[\w-]*|\bid|data-[\w-]+)(?:\.\w+)?\s*[=:(]\s*\\?` +
		"(?:\"[^\"]{0,400}|'[^']{0,400}|`[^`]{0,400}|{[^\\n]{0,400})|(?s:<script.*?</script>)")
	quoted = regexp.MustCompile("\"[^\"\\n]*\"|'[^'\\n]*'|`[^`]*`")
	fence  = regexp.MustCompile("(?ms)^[ \t]*```.*?^[ \t]*```")
)

// newClassifier reads the author's files in root, except style sheets.
func newClassifier(root fs.FS, pages parts) (*classifier, error) {
	c := &classifier{words: map[string]bool{}, code: map[string]bool{}, format: map[string]bool{}, pages: pages,
		utilities: tailwind.New(tailwind.Theme{})}
	for _, name := range slices.Concat(absent, scripted) {
		c.words[name] = true
	}
	for _, selector := range slices.Concat(contract.IDs, contract.Classes, contract.Attributes) {
		for _, name := range word.FindAllString(selector, -1) {
			c.format[name] = true
		}
	}
	var all strings.Builder
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if base := path.Base(name); err == nil && d.IsDir() && name != "." &&
			(base == "node_modules" || strings.HasPrefix(base, ".")) {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		return c.read(root, name, &all)
	})
	c.text = all.String()
	return c, err
}

func (c *classifier) read(root fs.FS, name string, all *strings.Builder) error {
	var code bool
	switch path.Ext(name) {
	case ".js", ".jsx", ".ts", ".tsx", ".mjs", ".html": // HTML is not part of a page, unless a script adds it
		code = true
	case ".md", ".mdx", ".json":
	default:
		return nil
	}
	data, err := fs.ReadFile(root, name)
	if os.IsNotExist(err) { // a broken symbolic link
		return nil
	}
	text := string(data)
	all.WriteString(text)
	for _, place := range named.FindAllString(fence.ReplaceAllString(text, ""), -1) {
		for _, w := range word.FindAllString(place, -1) {
			if code {
				c.code[w] = true
			} else {
				c.words[w] = true
			}
		}
	}
	if !code {
		return err
	}
	for _, w := range word.FindAllString(strings.Join(quoted.FindAllString(text, -1), " "), -1) {
		if strings.ContainsAny(w, "-_") { // a class may come from any string, but "info" alone may be a plain word
			c.code[w] = true
		}
	}
	return err
}

// classify returns the outcome of a selector that matches nothing on some pages.
func (c *classifier) classify(selector string) outcome {
	out, needs := missed, needsOf(selector)
	frame := slices.ContainsFunc(needs, func(n need) bool { return n.op == "" && c.format[n.name] })
	for _, n := range needs {
		switch {
		case n.kind == '.' && frame && c.isUtility(n):
			out = utility // the author's own classes do not occur there
		case len(c.pages.with(n)) > 0 || c.known(n, c.words):
		case n.kind == '<', c.known(n, c.format):
			if out == missed || out == later {
				out = unused
			}
		case c.known(n, c.code):
			if out == missed {
				out = later
			}
		case n.kind == '.' && c.isUtility(n):
			out = utility
		default:
			return dead
		}
	}
	return out
}

// known reports whether names or the author's text contain what n needs, for needs that the served pages do not meet.
func (c *classifier) known(n need, names map[string]bool) bool {
	switch {
	case n.kind == '<':
		return false
	case n.kind == '[' && slices.Contains([]string{"style", "open", "hidden", "disabled"}, n.name):
		return true // scripts set these attributes
	case n.kind == '[' && !names[n.name] && len(c.pages.with(need{kind: '[', name: n.name})) == 0:
		return false
	case n.kind == '[' && n.op != "":
		return names[n.value] || strings.Contains(c.text, strings.Trim(n.value, "/"))
	case n.op == "":
		return names[n.name]
	}
	for name := range names {
		if n.met(name) {
			return true
		}
	}
	return false
}

func (c *classifier) isUtility(n need) bool {
	if n.op != "" {
		return strings.ContainsAny(n.value, ":[") || c.utilityName(n.value)
	}
	return c.utilityName(n.name)
}

func (c *classifier) utilityName(class string) bool {
	_, ok := c.utilities.Meaning(class)
	return ok
}

// ownText reports whether a selector needs only text elements and the author's own names. Only the author decides how
// these are combined, so if no page has the combination, the rule is unused.
func (c *classifier) ownText(selector string) bool {
	return !slices.ContainsFunc(needsOf(selector), func(n need) bool {
		return !isText(n) && (n.kind == '<' || c.known(n, c.format) || !c.known(n, c.words) && !c.known(n, c.code))
	})
}

func isText(n need) bool {
	switch n.kind {
	case '<':
		return slices.Contains(textElements, n.name)
	case '[':
		return n.name == "href" || n.name == "src"
	}
	return n.op == "" && slices.Contains(textParts, n.name)
}

var (
	textElements = strings.Fields(`html body main article h1 h2 h3 h4 h5 h6 p a code pre em strong b i s del ins sub sup
		kbd mark samp small table thead tbody tr th td ul ol li dl dt dd blockquote hr br img figure figcaption video iframe`)
	textParts = strings.Fields("dark light prose mdx-content content content-area content-container callout")
)
