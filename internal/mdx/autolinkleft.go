package mdx

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// linkLeft turns addresses in text into links. It is called for text in brackets that turned out not to be a link.
func (in *inline) linkLeft(nodes []ast.Node) []ast.Node {
	out := make([]ast.Node, 0, len(nodes))
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Text:
			out = append(out, splitAddresses(n)...)
			continue
		case *ast.Link:
		case ast.Parent:
			*n.List() = in.linkLeft(*n.List())
		}
		out = append(out, n)
	}
	return out
}

func splitAddresses(t *ast.Text) []ast.Node {
	var out []ast.Node
	exact := len(t.Value) == t.End-t.Start
	place := func(from, to int) ast.Span {
		if exact {
			return ast.Span{Start: t.Start + from, End: t.Start + to}
		}
		return t.Span
	}
	done := 0
	for at := 0; ; {
		from, to, url := leftAddress(t.Value, at)
		if to == 0 {
			break
		}
		if from > done {
			out = append(out, &ast.Text{Span: place(done, from), Value: t.Value[done:from]})
		}
		span := place(from, to)
		out = append(out, &ast.Link{Span: span, URL: url, Auto: true,
			Children: ast.Children{&ast.Text{Span: span, Value: t.Value[from:to]}}})
		done, at = to, to
	}
	if done == 0 {
		return []ast.Node{t}
	}
	if done < len(t.Value) {
		out = append(out, &ast.Text{Span: place(done, len(t.Value)), Value: t.Value[done:]})
	}
	return out
}

// leftAddress finds the next address in s at or after offset at; to is 0 if there is none. The rules differ slightly
// from the ones that address follows: any punctuation may precede the address, and its host name must contain a dot.
func leftAddress(s string, at int) (from, to int, url string) {
	for i := at; i < len(s); i++ {
		k := strings.IndexAny(s[i:], ":@wW")
		if k < 0 {
			return 0, 0, ""
		}
		i += k
		switch {
		case s[i] == '@':
			if from, to = emailAt(s, at, i); to > 0 {
				return from, to, "mailto:" + s[from:to]
			}
			continue
		case s[i] == ':':
			if from = protocolAt(s, at, i); from < 0 || classBefore(s[:from]) == other {
				continue
			}
			to = leftEnd(s, i+3)
		default:
			if len(s)-i <= 4 || !strings.EqualFold(s[i:i+4], "www.") || classBefore(s[:i]) == other {
				continue
			}
			from, url = i, "http://"
			to = leftEnd(s, i)
		}
		if to > 0 {
			return from, to, url + s[from:to]
		}
		url = ""
	}
	return 0, 0, ""
}

// maxHost is the maximum length of a host name in DNS, in bytes.
const maxHost = 253

// leftEnd returns the end of the address whose host name is at s[host:], or 0 if there is none.
func leftEnd(s string, host int) int {
	i := host
	for i < len(s) && i-host <= maxHost && (isAlnum(s[i]) || s[i] == '-' || s[i] == '.' || s[i] == '_') {
		i++
	}
	parts := strings.Split(s[host:i], ".")
	if len(parts) < 2 || i-host > maxHost {
		return 0
	}
	for _, part := range parts[len(parts)-2:] {
		if part != "" && (strings.IndexByte(part, '_') >= 0 || strings.Trim(part, "-") == "") {
			return 0
		}
	}
	for i < len(s) && s[i] > ' ' {
		i++
	}
	end := host + len(strings.TrimRight(s[host:i], "!\"&'),.:;<>?]}"))
	// Add back closing parentheses that belong to the address, with the text before them.
	open := strings.Count(s[host:end], "(") - strings.Count(s[host:end], ")")
	for open > 0 {
		k := strings.IndexByte(s[end:i], ')')
		if k < 0 {
			break
		}
		end += k + 1
		open--
	}
	if end == host {
		return 0
	}
	return end
}
