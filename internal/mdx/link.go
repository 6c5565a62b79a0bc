package mdx

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// bracket is a [ or ![ that may open a link or image.
type bracket struct {
	token  int // index of its token
	delims int // number of delimiters before it
	from   int // offset after it
	image  bool
	nested bool // contains another bracket, so the text is not a label
}

func (in *inline) openBracket(c byte) bool {
	size := 1
	if c == '!' {
		if in.at+1 >= len(in.t.s) || in.t.s[in.at+1] != '[' {
			return false
		}
		// In ![^note], the exclamation mark is text before a footnote reference.
		if label, n := noteLabel(in.t.s[in.at+1:]); n > 0 && in.p.notes[normalLabel(label)] != nil {
			return false
		}
		size = 2
	}
	if n := len(in.brackets); n > 0 {
		in.brackets[n-1].nested = true
	}
	in.put(token{kind: tokText}, in.at+size)
	in.brackets = append(in.brackets,
		bracket{token: len(in.tokens) - 1, delims: len(in.delims), from: in.at, image: size == 2})
	return true
}

// closeBracket turns the text since the last open bracket into a link, an image or a footnote reference.
func (in *inline) closeBracket() bool {
	n := len(in.brackets)
	if n == 0 {
		return false
	}
	b := in.brackets[n-1]
	in.brackets = in.brackets[:n-1]
	if !b.image && in.noteRef(b) {
		return true
	}
	if dead := n-1 < in.dead; dead {
		in.dead = n - 1
		if !b.image {
			return false
		}
	}
	def, end, ok := in.target(b)
	if !ok {
		return false
	}
	in.flush(in.at)
	in.emphasis(b.delims)
	span := in.t.span(in.tokens[b.token].from, end)
	children := in.build(in.tokens[b.token+1:])
	var node ast.Node
	if b.image {
		node = &ast.Image{Span: span, URL: def.url, Title: def.title, Alt: ast.PlainText(children)}
	} else {
		node = &ast.Link{Span: span, Children: children, URL: def.url, Title: def.title}
		in.dead = len(in.brackets)
	}
	start := in.tokens[b.token].from
	clear(in.tokens[b.token:])
	in.tokens = append(in.tokens[:b.token], token{kind: tokNode, from: start, to: end, node: node})
	in.at, in.from = end, end
	return true
}

// target finds the target of the text that ends at the current bracket. The target is given as (url "title"), [label]
// or [], or the text itself is the label.
func (in *inline) target(b bracket) (def definition, end int, ok bool) {
	s, i := in.t.s, in.at+1
	if i < len(s) && s[i] == '(' {
		if def, end = readResource(s, i); end > 0 {
			return def, end, true
		}
	}
	label := s[b.from:in.at]
	end = i
	if i < len(s) && s[i] == '[' {
		inner, k := readLabel(s, i)
		switch {
		case k == 0:
		case strings.TrimSpace(inner) != "":
			def, ok = in.p.reference(inner)
			return def, k, ok
		case k == i+2:
			end = k
		}
	}
	if b.nested || len(label) > 999 || len(in.p.refs) == 0 {
		return def, 0, false
	}
	def, ok = in.p.reference(label)
	return def, end, ok
}

// readResource reads (url "title") at s[i:]. end is the offset after it, or 0 if there is none.
func readResource(s string, i int) (def definition, end int) {
	i = skipWhite(s, i+1)
	if i < len(s) && s[i] != ')' {
		dest, j := readDestination(s, i, true)
		if j == 0 {
			return def, 0
		}
		def.url = unescape(dest)
		i = skipWhite(s, j)
		if i > j && i < len(s) && s[i] != ')' {
			title, k := readTitle(s, i)
			if k == 0 {
				return def, 0
			}
			def.title = unescape(title)
			i = skipWhite(s, k)
		}
	}
	if i >= len(s) || s[i] != ')' {
		return def, 0
	}
	return def, i + 1
}

func skipWhite(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n') {
		i++
	}
	return i
}
