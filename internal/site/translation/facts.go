package translation

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/foundation/yamltree"
	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// kind is the kind of a fact: the finding code and the noun that findings about such facts use.
type kind struct{ code, noun string }

// fact is a part of a page that must be equal in its translation.
type fact struct {
	kind
	text    string // the text that must be equal
	pos     diag.Pos
	section int // number of headings before it
}

// contents holds the parts of a page that are compared.
type contents struct {
	facts    []fact
	headings []diag.Pos
	prose    []fact // text in the page's language
	top      diag.Pos
}

// collector collects the contents of a page.
type collector struct {
	contents
	file   *ast.File
	target func(ref string) string // returns the target of a link in a form that does not depend on the language
}

// collect returns the contents of a page. It returns false if the page cannot be parsed; the build reports this.
func collect(name string, d document, target func(string) string) (contents, bool) {
	c := &collector{file: &ast.File{Name: name, Body: d.Body, Line: d.BodyLine}, target: target}
	c.top = diag.Pos{File: name, Line: d.BodyLine, Column: 1}
	c.fields(name, d)
	root, list := mdx.ParseWith(mdx.Options{}, name, d.Body, d.BodyLine)
	if list.HasErrors() {
		return c.contents, false
	}
	ast.Walk(root.Children, func(n ast.Node) bool {
		c.node(n)
		return true
	})
	return c.contents, true
}

func (c *collector) addFact(k kind, text string, at int) {
	c.facts = append(c.facts, fact{k, text, c.file.Pos(at), len(c.headings)})
}

// shown returns the text of the fact in a short form for messages.
func (f fact) shown() string {
	return clip.Runes(strings.Join(strings.Fields(f.text), " "), maxShown)
}

func (c *collector) node(n ast.Node) {
	at := n.Place().Start
	switch n := n.(type) {
	case *ast.Heading:
		c.headings = append(c.headings, c.file.Pos(at))
		c.addFact(kind{"translation-structure", "heading"}, strings.Repeat("#", n.Level), at)
		if n.ID != "" {
			c.addFact(kind{"translation-structure", "heading id"}, "{#"+n.ID+"}", at)
		}
	case *ast.Code:
		c.addFact(kind{"translation-code", "code block"}, strings.Join([]string{n.Lang, n.Text}, "\n"), at)
	case *ast.CodeSpan:
		c.addFact(kind{"translation-code", "inline code"}, n.Value, at)
	case *ast.Math:
		c.addFact(kind{"translation-code", "formula"}, n.Text, at)
	case *ast.Link:
		c.addFact(kind{"translation-link", "link"}, c.target(n.URL), at)
	case *ast.Image:
		c.addFact(kind{"translation-link", "image"}, c.target(n.URL), at)
	case *ast.Expr:
		if source := strings.TrimSpace(n.Source); variable.MatchString(source) {
			c.addFact(kind{"translation-placeholder", "placeholder"}, "{"+source+"}", at)
		}
	case *ast.Element:
		c.element(n)
	case *ast.Text:
		c.text(n.Value, at)
	}
}

// element collects a component: its name, the names of its attributes, and the targets of its links.
func (c *collector) element(e *ast.Element) {
	names := []string{}
	for _, a := range e.Attrs {
		names = append(names, a.Name)
		switch {
		case a.Kind != ast.AttrString:
		case a.Name == "href" || a.Name == "src":
			c.addFact(kind{"translation-link", "link"}, c.target(a.Value), a.Start)
		default:
			c.text(a.Value, a.Start)
		}
	}
	slices.Sort(names)
	if e.Name != "" && e.Name[0] >= 'A' && e.Name[0] <= 'Z' {
		tag := "<" + strings.Join(append([]string{e.Name}, names...), " ") + ">"
		c.addFact(kind{"translation-component", "component"}, tag, e.Start)
	}
}

var (
	variable    = lazyregexp.New(`^[\w$.]+$`)
	placeholder = lazyregexp.New(`\{\{[^{}\n]+\}\}|\$\{[^{}\n]+\}|\{\w+\}|%\(\w+\)[sd]|%(?:\d+\$)?[sdfvq]\b`)
)

func (c *collector) text(text string, at int) {
	c.prose = append(c.prose, fact{text: text, pos: c.file.Pos(at), section: len(c.headings)})
	for _, p := range placeholder.FindAllString(text, -1) {
		c.addFact(kind{"translation-placeholder", "placeholder"}, p, at)
	}
}

// fields collects the front matter: its keys, and the text that readers see.
func (c *collector) fields(name string, d document) {
	f, top := d.Fields, diag.Pos{File: name, Line: 1, Column: 1}
	for _, text := range []string{f.Title, f.SidebarTitle, f.Description} {
		c.prose = append(c.prose, fact{text: text, pos: top})
		for _, p := range placeholder.FindAllString(text, -1) {
			c.facts = append(c.facts, fact{kind{"translation-placeholder", "placeholder"}, p, top, 0})
		}
	}
	head := d.raw[:len(d.raw)-len(d.Body)]
	_, head, _ = bytes.Cut(head, []byte("\n"))
	if i := bytes.LastIndex(bytes.TrimRight(head, " \t\r\n"), []byte("---")); i >= 0 {
		head = head[:i]
	}
	doc, err := yamltree.Parse(name, head,
		yamltree.Options{Limits: jsontree.Limits{Bytes: 64 << 10, Depth: 50, Values: 20_000}, Before: 1})
	if err != nil { // reported by the build
		return
	}
	for _, m := range doc.Root.Members {
		if m.Key != Key {
			c.facts = append(c.facts, fact{kind{"translation-structure", "front matter key"}, m.Key, m.Pos(), 0})
		}
	}
}

// targetOf returns a function that converts the targets of links on a page to a comparable form: an internal link
// becomes the path of the page in the default language, from the root of the site and without a language folder.
// Anchors are derived from the text of headings, so only the presence of an anchor is compared.
func targetOf(page string, languages []string, source map[string]string) func(string) string {
	return func(ref string) string {
		if external.MatchString(ref) {
			return ref
		}
		body, _, anchored := strings.Cut(ref, "#")
		body, query, _ := strings.Cut(body, "?")
		if body == "" && query == "" {
			return "#"
		}
		if !strings.HasPrefix(body, "/") {
			body = path.Join(path.Dir(page), body)
		}
		p := strings.Trim(path.Clean("/"+body), "/")
		p = strings.TrimSuffix(strings.TrimSuffix(p, ".mdx"), ".md")
		for _, name := range []string{p, path.Join(p, "index")} {
			if s, ok := source[name]; ok {
				p = s
				break
			}
		}
		p = withoutLanguage(p, languages)
		if p == "index" || strings.HasSuffix(p, "/index") {
			p = strings.Trim(strings.TrimSuffix(p, "index"), "/")
		}
		p = "/" + p
		if query != "" {
			p += "?" + query
		}
		if anchored {
			p += "#"
		}
		return p
	}
}

var external = lazyregexp.New(`^(?:[A-Za-z][A-Za-z0-9+.-]*:|//)`)

// withoutLanguage removes the first folder that is named after a language.
func withoutLanguage(p string, languages []string) string {
	parts := strings.Split(p, "/")
	i := slices.IndexFunc(parts, func(part string) bool {
		return slices.ContainsFunc(languages, func(l string) bool { return strings.EqualFold(l, part) })
	})
	if i < 0 || i == len(parts)-1 && i > 0 {
		return p
	}
	return strings.Join(slices.Delete(parts, i, i+1), "/")
}
