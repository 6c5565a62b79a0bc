package write

import (
	"bytes"
	"errors"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// ErrNotThere means that the node to change is not part of this body: evaluation created it, or it is in another
// file.
var ErrNotThere = errors.New("it is not written here")

// SetAttr sets an attribute to a string, and adds the attribute if it is missing.
func SetAttr(body []byte, e *ast.Element, name, value string) (Edit, error) {
	return setAttr(body, e, name, `"`+escapeAttr(value)+`"`)
}

// SetAttrExpr sets an attribute to an expression. source is the text between the braces.
func SetAttrExpr(body []byte, e *ast.Element, name, source string) (Edit, error) {
	return setAttr(body, e, name, "{"+source+"}")
}

func setAttr(body []byte, e *ast.Element, name, written string) (Edit, error) {
	if !opens(body, e) {
		return Edit{}, ErrNotThere
	}
	for i := len(e.Attrs) - 1; i >= 0; i-- { // the last one takes effect
		if a := e.Attrs[i]; a.Name == name && a.Kind != ast.AttrSpread {
			return replace(a.Start, a.End, name+"="+written), nil
		}
	}
	at := e.Open.Start + 1 + len(e.Name)
	if n := len(e.Attrs); n > 0 {
		at = e.Attrs[n-1].End
	}
	return insert(at, " "+name+"="+written), nil
}

// RemoveAttr removes an attribute and the white space before it.
func RemoveAttr(body []byte, e *ast.Element, name string) ([]Edit, error) {
	if !opens(body, e) {
		return nil, ErrNotThere
	}
	var edits []Edit
	for _, a := range e.Attrs {
		if a.Name == name && a.Kind != ast.AttrSpread {
			start := len(bytes.TrimRight(body[:a.Start], " \t\r\n"))
			edits = append(edits, replace(start, a.End, ""))
		}
	}
	return edits, nil
}

// Rename changes the name of an element in both its tags.
func Rename(body []byte, e *ast.Element, name string) ([]Edit, error) {
	if !opens(body, e) || e.Name == "" || name == "" {
		return nil, ErrNotThere
	}
	start := e.Open.Start + 1
	edits := []Edit{replace(start, start+len(e.Name), name)}
	if e.Open.End == e.Span.End || body[e.Open.End-2] == '/' {
		return edits, nil
	}
	closing := bytes.LastIndexByte(body[e.Open.End:e.Span.End], '<')
	if closing < 0 {
		return nil, ErrNotThere
	}
	closing += e.Open.End
	at := bytes.Index(body[closing:e.Span.End], []byte(e.Name))
	if at < 0 {
		return nil, ErrNotThere
	}
	return append(edits, replace(closing+at, closing+at+len(e.Name), name)), nil
}

// opens reports whether the element's opening tag is at its recorded position.
func opens(body []byte, e *ast.Element) bool {
	o := e.Open
	if o.Start < 0 || o.End > len(body) || o.End-o.Start < 2+len(e.Name) {
		return false
	}
	tag := body[o.Start:o.End]
	return tag[0] == '<' && tag[len(tag)-1] == '>' && bytes.HasPrefix(tag[1:], []byte(e.Name))
}

// escapeAttr encodes a value for double quotes. It escapes an ampersand only if it would start an entity.
func escapeAttr(value string) string {
	var b strings.Builder
	for i := range len(value) {
		switch c := value[i]; {
		case c == '"':
			b.WriteString("&quot;")
		case c == '\n':
			b.WriteString("&#10;")
		case c == '&' && startsEntity(value[i:]):
			b.WriteString("&amp;")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func startsEntity(s string) bool {
	end := strings.IndexByte(s, ';')
	return end > 1 && !strings.ContainsAny(s[1:end], " &\t\n")
}
