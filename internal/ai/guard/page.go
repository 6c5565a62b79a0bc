package guard

import (
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
)

// trait is a part of a page that runs or loads code.
type trait struct {
	line   int
	what   string // for people
	source string // identifies it: a trait that the page already had is not new
	hosts  string // text whose hosts must be known; "" = none
	kind   traitKind
}

type traitKind int

const (
	never traitKind = iota // an agent must not add it
	frame                  // allowed for known hosts
	rich                   // reported if the page had no rich trait before
)

// page compares what runs on a page before and after the change.
func (c *checker) page(a *added) {
	had, richBefore := map[string]int{}, false
	for _, t := range traits(a.before) {
		had[t.source]++
		richBefore = richBefore || t.kind == rich
	}
	reported, block := false, !c.allowed(a.path)
	for _, t := range traits(a.after) {
		if had[t.source] > 0 {
			had[t.source]--
			continue
		}
		switch {
		case a.moved.lines[strings.TrimSpace(a.lineText(t.line))]:
		case t.kind == never:
			c.addFinding(t.line, Script, block, "The line has %s.", t.what)
		case t.kind == frame:
			hostsIn(`"`+t.hosts+`"`, func(host, _ string) {
				if !c.rules.KnownHosts[host] {
					c.addFinding(t.line, Script, block,
						"The line has %s from %s, which the site did not mention before.", t.what, shown(host))
				}
			})
		case !richBefore && !reported:
			reported = true // once is enough: it turns the page into another kind of page
			c.addFinding(t.line, Expression, false, "The line has %s; the page had no code before.", t.what)
		}
	}
}

// lineText returns a line of the changed file.
func (a *added) lineText(line int) string {
	if line < 1 || line > len(a.lines) {
		return ""
	}
	return a.lines[line-1]
}

// traits lists what runs or loads code on a page.
func traits(text string) []trait {
	page, _ := frontmatter.Cut("", []byte(text))
	root, _ := mdx.Parse("", page.Body, page.BodyLine)
	w := pageWalker{file: &ast.File{Body: page.Body, Line: page.BodyLine}}
	for i, line := range strings.Split(text[:len(text)-len(page.Body)], "\n") {
		if what := rawScript(line); what != "" {
			w.list = append(w.list, trait{line: i + 1, what: what, source: line})
		}
	}
	ast.Walk(root.Children, w.node)
	return w.list
}

// pageWalker collects the traits of a syntax tree.
type pageWalker struct {
	file *ast.File
	list []trait
}

func (w *pageWalker) add(at ast.Span, kind traitKind, what, source string) {
	w.list = append(w.list, trait{line: w.file.Pos(at.Start).Line, kind: kind, what: what,
		source: what + "\x00" + source})
}

func (w *pageWalker) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Link:
		w.address(n.Span, "a", n.URL)
	case *ast.Image:
		w.address(n.Span, "img", n.URL)
	case *ast.ESM:
		w.module(n)
	case *ast.Expr:
		w.code(n.Span, n.Source)
	case *ast.Element:
		w.element(n)
	}
	return true
}

// address refuses addresses that contain code or whole pages.
func (w *pageWalker) address(at ast.Span, element, value string) {
	plain := strings.ToLower(strings.Map(func(r rune) rune {
		if r <= ' ' || unicode.IsControl(r) || invisible(r) {
			return -1 // browsers ignore them
		}
		return r
	}, value))
	scheme, rest, ok := strings.Cut(plain, ":")
	if !ok {
		return
	}
	picture := strings.HasPrefix(rest, "image/") && (element == "img" || !strings.HasPrefix(rest, "image/svg"))
	if scheme == "javascript" || scheme == "vbscript" ||
		scheme == "data" && !picture && !strings.HasPrefix(rest, "font/") {
		w.add(at, never, "code in an address", plain)
	}
}

// module checks import and export statements.
func (w *pageWalker) module(n *ast.ESM) {
	own := true // all lines import files of the site, which are checked separately
	for line := range strings.Lines(n.Source) {
		line = strings.TrimSpace(line)
		from := quoted(line)
		if strings.Contains(from, "://") || strings.HasPrefix(from, "//") || strings.HasPrefix(from, "data:") {
			if strings.HasPrefix(line, "import") || strings.Contains(line, " from ") {
				w.add(n.Span, never, "an import from outside the site", line)
				return
			}
		}
		own = own && (line == "" ||
			strings.HasPrefix(line, "import ") && (from != "" && from[0] == '/' || strings.HasPrefix(from, ".")) &&
				!strings.Contains(line, "("))
	}
	if own {
		return
	}
	if reaches(n.Source) {
		w.add(n.Span, never, "code that reaches outside the page", n.Source)
		return
	}
	w.add(n.Span, rich, "an import or export", n.Source)
}

// quoted returns the text between the first quotation marks in a line.
func quoted(line string) string {
	i := strings.IndexAny(line, "\"'`")
	if i < 0 {
		return ""
	}
	inside, _, _ := strings.Cut(line[i+1:], line[i:i+1])
	return strings.ToLower(undisguised(inside))
}
