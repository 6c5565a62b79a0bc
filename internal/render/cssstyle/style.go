package cssstyle

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// maxLength limits the style of one element, in bytes. Real pages have less than 1 kB.
const maxLength = 16 << 10

// Text returns the style attribute for a value, or "" if it is empty. dropped lists the refused names, in order. As
// in React, null, undefined, booleans and "" mean that a property is not set.
func Text(v ast.Value) (css string, dropped []string) {
	var w writer
	switch v := v.(type) {
	case string:
		for _, d := range split(v, ';') {
			if strings.TrimSpace(d) == "" {
				continue
			}
			name, value, ok := strings.Cut(d, ":")
			if !ok {
				w.drop(name)
				continue
			}
			w.add(hyphenate(strings.TrimSpace(name), false), strings.TrimSpace(value))
		}
	case *ast.Object:
		if v == nil {
			break
		}
		for _, key := range v.Keys {
			w.addValue(key, v.Values[key])
		}
	case nil, ast.Undefined, bool:
	default:
		w.drop("style")
	}
	return w.css.String(), w.dropped
}

// Color returns a colour, or another single value such as var(--x), if it can safely follow a property's name. It
// accepts hexadecimal digits without "#". ok is false if the value is empty or refused.
func Color(s string) (css string, ok bool) {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > 200 || !safeValue(s) || len(split(s, ';')) > 1 {
		return "", false
	}
	if (len(s) == 3 || len(s) == 6 || len(s) == 8) && strings.Trim(s, "0123456789abcdefABCDEF") == "" {
		return "#" + s, true
	}
	return s, true
}

type writer struct {
	css     strings.Builder
	dropped []string
}

func (w *writer) drop(name string) {
	w.dropped = append(w.dropped, clip.Bytes(strings.TrimSpace(name), 40))
}

func (w *writer) addValue(key string, v ast.Value) {
	name := hyphenate(key, true)
	switch v := v.(type) {
	case nil, ast.Undefined, bool:
	case float64:
		s := ast.Number(v)
		if v != 0 && !unitless(name) && !strings.HasPrefix(name, "--") {
			s += "px"
		}
		w.add(name, s)
	case string:
		if v = strings.TrimSpace(v); v != "" {
			w.add(name, v)
		}
	default:
		w.drop(key)
	}
}

func (w *writer) add(name, value string) {
	if value == "" {
		return
	}
	if !safeName(name) || !safeValue(value) || len(split(value, ';')) > 1 ||
		w.css.Len()+len(name)+len(value) > maxLength {
		w.drop(name)
		return
	}
	if w.css.Len() > 0 {
		w.css.WriteString("; ")
	}
	w.css.WriteString(name)
	w.css.WriteString(": ")
	w.css.WriteString(value)
}
