package hostconfig

import (
	"bytes"
	"encoding/json"
)

// object writes a JSON file. Encoding never fails, because the values are maps and lists of strings and numbers.
func (h *sheet) object(v any) *sheet {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(v) // never fails
	h.body.WriteString(b.String())
	return h
}

type dict = map[string]any

// cached returns a header rule for files that never change.
func cached(key string, value any) dict {
	return dict{key: value, "headers": []dict{{"key": "Cache-Control", "value": lasting}}}
}
