package hostconfig

import (
	"bytes"
	"encoding/json"
)

// object writes a JSON file; the values marshal, being maps and lists of texts and numbers.
func (h *sheet) object(v any) *sheet {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(v) // nothing in it can fail
	h.body.WriteString(b.String())
	return h
}

type dict = map[string]any

// cached returns a header rule for files that never change.
func cached(key string, value any) dict {
	return dict{key: value, "headers": []dict{{"key": "Cache-Control", "value": lasting}}}
}
