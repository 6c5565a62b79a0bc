package write

import (
	"bytes"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// tags changes the quotes of attributes to double quotes, and white space in one-line tags to single spaces.
func tags(p page) (out []group) {
	ast.Walk(p.root.Children, func(n ast.Node) bool {
		e, ok := n.(*ast.Element)
		if !ok || e.Name == "" || !opens(p.body, e) {
			return true
		}
		written := p.body[e.Open.Start:e.Open.End]
		if bytes.IndexByte(written, '\n') >= 0 {
			if g := quotes(p.body, e); len(g) > 0 {
				out = append(out, g)
			}
			return true
		}
		if text, ok := oneLine(p.body, e); ok && text != string(written) {
			out = append(out, group{replace(e.Open.Start, e.Open.End, text)})
		}
		return true
	})
	return out
}

// quotes replaces single quotes around values that contain no double quotes.
func quotes(body []byte, e *ast.Element) (g group) {
	for _, a := range e.Attrs {
		v := a.ValueSpan
		if a.Kind == ast.AttrString && v.Start > 0 && body[v.Start-1] == '\'' &&
			bytes.IndexByte(body[v.Start:v.End], '"') < 0 {
			g = append(g, replace(v.Start-1, v.Start, `"`), replace(v.End, v.End+1, `"`))
		}
	}
	return g
}

// oneLine rewrites an opening tag. It returns false if the tag contains something other than attributes, such as a
// comment.
func oneLine(body []byte, e *ast.Element) (string, bool) {
	var b strings.Builder
	b.WriteString("<" + e.Name)
	at := e.Open.Start + 1 + len(e.Name)
	for _, a := range e.Attrs {
		if a.Start < at || a.End > e.Open.End || len(bytes.TrimSpace(body[at:a.Start])) > 0 {
			return "", false
		}
		b.WriteString(" " + attribute(body, a))
		at = a.End
	}
	switch string(bytes.Join(bytes.Fields(body[at:e.Open.End]), nil)) {
	case ">":
		b.WriteString(">")
	case "/>":
		b.WriteString(" />")
	default:
		return "", false
	}
	return b.String(), true
}

// attribute formats an attribute without white space around the "=". It returns unknown syntax unchanged.
func attribute(body []byte, a ast.Attr) string {
	written := string(body[a.Start:a.End])
	if a.Kind != ast.AttrString && a.Kind != ast.AttrExpr || !strings.HasPrefix(written, a.Name) {
		return written
	}
	value, ok := strings.CutPrefix(strings.TrimLeft(written[len(a.Name):], " \t"), "=")
	if !ok {
		return written
	}
	value = strings.TrimLeft(value, " \t")
	if n := len(value); a.Kind == ast.AttrString && n >= 2 && value[0] == '\'' && !strings.Contains(value, `"`) {
		value = `"` + value[1:n-1] + `"`
	}
	return a.Name + "=" + value
}
