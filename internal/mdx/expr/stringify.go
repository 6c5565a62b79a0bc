package expr

import (
	"math"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// jsonWriter implements JSON.stringify.
type jsonWriter struct {
	m      *machine
	b      strings.Builder
	indent string
	depth  int
}

func (m *machine) stringify(args []ast.Value, at int) (ast.Value, error) {
	if !nullish(argument(args, 1)) {
		return nil, beyond("JSON.stringify with a filter")
	}
	w := &jsonWriter{m: m}
	switch v := argument(args, 2).(type) {
	case float64:
		if math.IsNaN(v) {
			break
		}
		w.indent = strings.Repeat(" ", int(max(0, min(10, v)))) // clamp first: int cannot hold an infinite number
	case string:
		if len(v) > 10 {
			return nil, beyond("JSON.stringify with a long indent")
		}
		w.indent = v
	}
	wrote, err := w.value(argument(args, 0))
	if err != nil {
		return nil, err
	}
	if !wrote {
		return ast.Undefined{}, nil
	}
	return m.text(at, w.b.String())
}

// value writes v. It writes nothing and returns false for values that JSON does not have.
func (w *jsonWriter) value(v ast.Value) (bool, error) {
	if w.depth > maxDepth || w.b.Len() > maxBytes {
		return false, errTooLarge(0)
	}
	if err := w.m.work(0, 1); err != nil {
		return false, err
	}
	w.depth++
	defer func() { w.depth-- }()
	switch v := v.(type) {
	case ast.Undefined:
		return false, nil
	case nil:
		w.b.WriteString("null")
	case bool:
		w.b.WriteString(ast.String(v))
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			w.b.WriteString("null")
		} else {
			w.b.WriteString(ast.Number(v))
		}
	case string:
		w.text(v)
	case []ast.Value:
		return true, w.list(v)
	case *ast.Object:
		return true, w.object(v)
	default:
		return false, beyond("JSON of a value that only JavaScript holds")
	}
	return true, nil
}

func (w *jsonWriter) line(depth int) {
	if w.indent != "" {
		w.b.WriteByte('\n')
		for range depth {
			w.b.WriteString(w.indent)
		}
	}
}

func (w *jsonWriter) list(list []ast.Value) error {
	w.b.WriteByte('[')
	for i, e := range list {
		if i > 0 {
			w.b.WriteByte(',')
		}
		w.line(w.depth)
		wrote, err := w.value(e)
		if err != nil {
			return err
		}
		if !wrote {
			w.b.WriteString("null")
		}
	}
	if len(list) > 0 {
		w.line(w.depth - 1)
	}
	w.b.WriteByte(']')
	return nil
}

func (w *jsonWriter) object(o *ast.Object) error {
	if _, own := o.Values["toJSON"]; own {
		return beyond("object with its own toJSON")
	}
	w.b.WriteByte('{')
	some := false
	for _, k := range o.Keys {
		if o.Values[k] == (ast.Value(ast.Undefined{})) {
			continue
		}
		if some {
			w.b.WriteByte(',')
		}
		some = true
		w.line(w.depth)
		w.text(k)
		w.b.WriteByte(':')
		if w.indent != "" {
			w.b.WriteByte(' ')
		}
		if _, err := w.value(o.Values[k]); err != nil {
			return err
		}
	}
	if some {
		w.line(w.depth - 1)
	}
	w.b.WriteByte('}')
	return nil
}

func (w *jsonWriter) text(s string) {
	const hex = "0123456789abcdef"
	w.b.WriteByte('"')
	for i := range len(s) {
		c := s[i]
		if k := strings.IndexByte("\b\f\n\r\t\"\\", c); k >= 0 {
			w.b.WriteByte('\\')
			w.b.WriteByte(`bfnrt"\`[k])
		} else if c < 0x20 {
			w.b.WriteString(`\u00`)
			w.b.WriteByte(hex[c>>4])
			w.b.WriteByte(hex[c&15])
		} else {
			w.b.WriteByte(c)
		}
	}
	w.b.WriteByte('"')
}
