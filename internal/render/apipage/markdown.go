package apipage

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/component"
)

// maxProse limits a single text from a description, in bytes.
const maxProse = 32 << 10

// prose renders a description's Markdown.
func (p *Page) prose(w *component.Writer, src string) {
	if strings.TrimSpace(src) != "" && !p.stopped(w.Len()) {
		w.Render(markdown(src))
	}
}

// inline parses Markdown of a single line.
func inline(src string) []ast.Node { return mdx.Inline(src) }

// markdown parses the Markdown of an API description: CommonMark and GFM without JSX, expressions, modules and
// formulas. A few common HTML tags are converted to Markdown; all others are text. Headings become strong text,
// because they are not part of the page's outline.
func markdown(src string) []ast.Node {
	root, _ := mdx.ParseWith(mdx.Options{}, "", []byte(harmless(clip.Bytes(src, maxProse))), 1)
	return tame(root.Children)
}

// tame replaces headings with strong text. The source has been escaped, so it should contain no other special nodes;
// tame drops any that remain.
func tame(nodes []ast.Node) []ast.Node {
	out := make([]ast.Node, 0, len(nodes))
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Heading:
			out = append(out, &ast.Paragraph{Children: ast.Children{&ast.Strong{Children: n.Children}}})
		case *ast.ESM, *ast.Expr, *ast.Element, *ast.Math:
		default:
			out = append(out, n)
		}
	}
	return out
}

var tag = lazyregexp.New(`(?i)^<(/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*)\s*/?>`)

var href = lazyregexp.New(`(?i)href\s*=\s*["']([^"'\s()<>]*)["']`)

var auto = lazyregexp.New(`^<(https?://[^\s<>]+|[^\s<>@]+@[^\s<>@]+)>`)

// harmless escapes page syntax that plain Markdown does not have, except inside code.
func harmless(src string) string {
	var b strings.Builder
	b.Grow(len(src) + 32)
	fence := ""
	for line := range strings.SplitAfterSeq(src, "\n") {
		trimmed := strings.TrimLeft(line, " \t>-*+0123456789.")
		mark := fenceMark(trimmed)
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) && strings.TrimSpace(strings.TrimLeft(trimmed, fence[:1])) == "" {
				fence = ""
			}
			b.WriteString(line)
		case mark != "":
			fence = mark
			b.WriteString(line)
		default:
			escapeLine(&b, line)
		}
	}
	return b.String()
}

// fenceMark returns the run of backticks or tildes that opens or closes a fence, or "" if the line is not a fence.
func fenceMark(line string) string {
	for _, c := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, c)
		if n := len(line) - len(rest); n >= 3 && (c == "~" || !strings.Contains(rest, "`")) {
			return line[:n]
		}
	}
	return ""
}

func escapeLine(b *strings.Builder, line string) {
	for _, word := range [...]string{"import", "export"} { // at the start of a line, they would begin a module
		if rest, ok := strings.CutPrefix(line, word); ok &&
			(rest == "" || rest[0] == ' ' || rest[0] == '{' || rest[0] == '*') {
			b.WriteString("&#" + map[string]string{"import": "105;mport", "export": "101;xport"}[word])
			line = rest
		}
	}
	for i := 0; i < len(line); {
		switch c := line[i]; c {
		case '\\':
			n := min(2, len(line)-i) // keep existing escapes
			b.WriteString(line[i : i+n])
			i += n
		case '`':
			n := codeSpan(line[i:])
			b.WriteString(line[i : i+n])
			i += n
		case '{', '}', '$':
			b.WriteByte('\\')
			b.WriteByte(c)
			i++
		case '<':
			i += openAngle(b, line[i:])
		default:
			b.WriteByte(c)
			i++
		}
	}
}

// codeSpan returns the length of a code span at the start of s. If it does not end on this line, it returns the
// length of its backticks.
func codeSpan(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "`"))
	for at := n; ; {
		i := strings.Index(s[at:], s[:n])
		if i < 0 {
			return n
		}
		end := at + i + n
		if end == len(s) || s[end] != '`' {
			return end
		}
		at = end + len(s[end:]) - len(strings.TrimLeft(s[end:], "`"))
	}
}

// openAngle writes the construct that starts with "<" and returns its length in bytes.
func openAngle(b *strings.Builder, s string) int {
	if m := auto.FindStringSubmatch(s); m != nil {
		b.WriteString(m[1])
		return len(m[0])
	}
	m := tag.FindStringSubmatch(s)
	if m == nil {
		b.WriteString(`\<`)
		return 1
	}
	switch strings.ToLower(m[2]) {
	case "b", "strong":
		b.WriteString("**")
	case "i", "em":
		b.WriteString("*")
	case "code", "tt":
		b.WriteString("`")
	case "br":
		b.WriteString("\\\n")
	case "p", "ul", "ol", "div", "h1", "h2", "h3", "h4":
		b.WriteString("\n\n")
	case "li":
		if m[1] != "" {
			b.WriteString("\n")
		} else {
			b.WriteString("\n- ")
		}
	case "a":
		return anchor(b, s, m)
	case "span", "font", "small", "sub", "sup", "u":
	default:
		b.WriteString(`\<`)
		return 1
	}
	return len(m[0])
}

// anchor writes a link with plain text as Markdown. For any other <a>, it writes only the text.
func anchor(b *strings.Builder, s string, m []string) int {
	to := href.FindStringSubmatch(m[3])
	text, _, ended := strings.Cut(s[len(m[0]):min(len(s), len(m[0])+400)], "</a>")
	if to == nil || !ended || strings.ContainsAny(text, "<>[]{}$`\\") {
		return len(m[0])
	}
	b.WriteString("[" + text + "](" + to[1] + ")")
	return len(m[0]) + len(text) + len("</a>")
}
