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

// fate is what becomes of a selector of an author's style sheet.
type fate string

const (
	met     fate = "met"     // by an element of a page
	dead    fate = "dead"    // names what neither the author's files nor the format have
	utility fate = "utility" // names utility classes that the author's files do not have: markup inside another product
	unused  fate = "unused"  // names a part of the format, or elements of a text, that no page of the site has
	later   fate = "later"   // names what the author's code adds after the page has loaded, if at all
	missed  fate = "missed"  // should meet something
)

// absent are names that the other product documents and our pages do not have.
var absent = []string{
	"api-section-heading-subtitle", "ask-assistant-code-block-button", "changelog-filters", "changelog-filters-content",
	"chat-assistant-floating-input", "code-block-fade-overlay", "code-snippet-feedback-form-description",
	"contact-support-button", "contact-support-icon", "contact-support-text", "contextual-feedback-button",
	"contextual-feedback-container", "contextual-feedback-form", "contextual-feedback-form-submit-button",
	"contextual-feedback-form-title", "contextual-feedback-input", "endpoints-menu-trigger", "feedback-form-cancel",
	"login-link", "logout-link", "sidebar-nav-group-divider",
}

// scripted are names that scripts of the theme set on pages.
var scripted = []string{"dark", "light", "data-active", "data-active-deepest"}

// judge knows what selectors of a site can mean: the words of its author's files, names of the format, and what pages
// have.
type judge struct {
	words     map[string]bool // of attributes
	code      map[string]bool // of strings in scripts
	format    map[string]bool // names that our pages have where the part is: a test of package build sees to it
	text      string          // of the author's files, for addresses
	pages     parts
	utilities *tailwind.Generator
}

var (
	word = regexp.MustCompile(`[\w-]+(?:[:/.][\w-]+)*`)
	// Names of elements stand in attributes; the rest of a page is text, in which "number" is no class.
	named = regexp.MustCompile(`(?i)(?:class[\w-]*|\bid|data-[\w-]+)(?:\.\w+)?\s*[=:(]\s*\\?` +
		"(?:\"[^\"]{0,400}|'[^']{0,400}|`[^`]{0,400}|{[^\\n]{0,400})|(?s:<script.*?</script>)")
	quoted = regexp.MustCompile("\"[^\"\\n]*\"|'[^'\\n]*'|`[^`]*`")
	fence  = regexp.MustCompile("(?ms)^[ \t]*```.*?^[ \t]*```")
)

// newJudge reads the author's files in root, without style sheets.
func newJudge(root fs.FS, pages parts) (*judge, error) {
	j := &judge{words: map[string]bool{}, code: map[string]bool{}, format: map[string]bool{}, pages: pages,
		utilities: tailwind.New(tailwind.Theme{})}
	for _, name := range slices.Concat(absent, scripted) {
		j.words[name] = true
	}
	for _, selector := range slices.Concat(contract.IDs, contract.Classes, contract.Attributes) {
		for _, name := range word.FindAllString(selector, -1) {
			j.format[name] = true
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
		return j.read(root, name, &all)
	})
	j.text = all.String()
	return j, err
}

func (j *judge) read(root fs.FS, name string, all *strings.Builder) error {
	var code bool
	switch path.Ext(name) {
	case ".js", ".jsx", ".ts", ".tsx", ".mjs", ".html": // HTML is not part of a page, unless a script makes it
		code = true
	case ".md", ".mdx", ".json":
	default:
		return nil
	}
	data, err := fs.ReadFile(root, name)
	if os.IsNotExist(err) { // a symbolic link to nothing
		return nil
	}
	text := string(data)
	all.WriteString(text)
	for _, place := range named.FindAllString(fence.ReplaceAllString(text, ""), -1) {
		for _, w := range word.FindAllString(place, -1) {
			if code {
				j.code[w] = true
			} else {
				j.words[w] = true
			}
		}
	}
	if !code {
		return err
	}
	for _, w := range word.FindAllString(strings.Join(quoted.FindAllString(text, -1), " "), -1) {
		if strings.ContainsAny(w, "-_") { // classes come from anywhere, but a string such as "info" is none
			j.code[w] = true
		}
	}
	return err
}

// fate judges a selector that meets nothing on some pages.
func (j *judge) fate(selector string) fate {
	out, needs := missed, needsOf(selector)
	frame := slices.ContainsFunc(needs, func(n need) bool { return n.op == "" && j.format[n.name] })
	for _, n := range needs {
		switch {
		case n.kind == '.' && frame && j.isUtility(n):
			out = utility // the author's own are not in there
		case len(j.pages.with(n)) > 0 || j.known(n, j.words):
		case n.kind == '<', j.known(n, j.format):
			if out == missed || out == later {
				out = unused
			}
		case j.known(n, j.code):
			if out == missed {
				out = later
			}
		case n.kind == '.' && j.isUtility(n):
			out = utility
		default:
			return dead
		}
	}
	return out
}

// known reports whether one of the names, or the author's text, has what is needed: pages as they are served do not.
func (j *judge) known(n need, names map[string]bool) bool {
	switch {
	case n.kind == '<':
		return false
	case n.kind == '[' && slices.Contains([]string{"style", "open", "hidden", "disabled"}, n.name):
		return true // scripts set them
	case n.kind == '[' && !names[n.name] && len(j.pages.with(need{kind: '[', name: n.name})) == 0:
		return false
	case n.kind == '[' && n.op != "":
		return names[n.value] || strings.Contains(j.text, strings.Trim(n.value, "/"))
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

func (j *judge) isUtility(n need) bool {
	if n.op != "" {
		return strings.ContainsAny(n.value, ":[") || j.utilityName(n.value)
	}
	return j.utilityName(n.name)
}

func (j *judge) utilityName(class string) bool {
	_, ok := j.utilities.Meaning(class)
	return ok
}

// ownText reports whether a selector asks for a combination of elements of the text and of what the author named, which
// is up to the author alone: if no page has it, the rule is not used.
func (j *judge) ownText(selector string) bool {
	return !slices.ContainsFunc(needsOf(selector), func(n need) bool {
		return !isText(n) && (n.kind == '<' || j.known(n, j.format) || !j.known(n, j.words) && !j.known(n, j.code))
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
