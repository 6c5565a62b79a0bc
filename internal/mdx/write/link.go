package write

import (
	"bytes"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// SetLinkURL changes the URL of a link or image. It returns ErrNotThere if the link is a reference to a definition.
func SetLinkURL(body []byte, n ast.Node, url string) (Edit, error) {
	span := n.Place()
	if span.Start < 0 || span.End > len(body) || span.Start >= span.End {
		return Edit{}, ErrNotThere
	}
	from := span.Start
	switch n := n.(type) {
	case *ast.Link:
		if n.Auto || body[span.Start] != '[' {
			return replace(span.Start, span.End, "["+escapeText(ast.PlainText(n.Children))+"]("+destination(url)+")"),
				nil
		}
		if last := len(n.Children) - 1; last >= 0 {
			from = n.Children[last].Place().End
		}
	case *ast.Image:
	default:
		return Edit{}, ErrNotThere
	}
	for ; ; from++ {
		i := bytes.Index(body[from:span.End], []byte("]("))
		if i < 0 {
			return Edit{}, ErrNotThere
		}
		from += i
		if start, end, ok := target(body, from+2, span.End); ok {
			return replace(start, end, destination(url)), nil
		}
	}
}

// target finds the destination in ( destination "title" ). The closing parenthesis must be at the end of the link.
func target(body []byte, at, end int) (from, to int, ok bool) {
	at = skipBlank(body, at, end)
	from = at
	if at < end && body[at] == '<' {
		for at < end && body[at] != '>' {
			if body[at] == '\\' {
				at++
			}
			at++
		}
		at++
	} else {
		for depth := 0; at < end && body[at] > ' '; at++ {
			if body[at] == '\\' && at+1 < end {
				at++
			} else if body[at] == '(' {
				depth++
			} else if body[at] == ')' {
				if depth--; depth < 0 {
					break
				}
			}
		}
	}
	if at > end {
		return 0, 0, false
	}
	to = at
	at = skipBlank(body, at, end)
	if at < end && at > to && strings.IndexByte(`"'(`, body[at]) >= 0 {
		closing := map[byte]byte{'"': '"', '\'': '\'', '(': ')'}[body[at]]
		for at++; at < end && body[at] != closing; at++ {
			if body[at] == '\\' {
				at++
			}
		}
		at = skipBlank(body, at+1, end)
	}
	return from, to, at == end-1 && body[at] == ')'
}

func skipBlank(body []byte, at, end int) int {
	for at < end && (body[at] == ' ' || body[at] == '\t' || body[at] == '\n' || body[at] == '\r') {
		at++
	}
	return at
}

// destination encodes an address so that Markdown parses it as the same address.
func destination(url string) string {
	depth, plain := 0, url != "" && url[0] != '<'
	for i := range len(url) {
		switch c := url[i]; {
		case c <= ' ' || c == 0x7f || c == '\\':
			plain = false
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
		if depth < 0 {
			plain = false
		}
	}
	if plain && depth == 0 {
		return url
	}
	return "<" + strings.NewReplacer(`\`, `\\`, "<", `\<`, ">", `\>`, "\n", "%0A", "\r", "%0D").Replace(url) + ">"
}

// escapeText escapes text so that Markdown shows it literally.
func escapeText(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if strings.IndexByte("\\`*_{}[]<>~$|", text[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
