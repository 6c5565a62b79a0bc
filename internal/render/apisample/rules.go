package apisample

import (
	"encoding/json"
	"fmt"

	"github.com/lectern-docs/lectern/internal/render/highlight"
)

// Rules returns the highlighting rules of each language as JSON, keyed by the highlighter's name for the language. A
// browser uses them to highlight samples in the same way as h does.
func Rules(h *highlight.Highlighter) ([]byte, error) {
	rules := map[string]highlight.Portable{}
	for _, l := range all() {
		table, ok := h.Portable(l.Highlight)
		if !ok {
			return nil, fmt.Errorf("no rules to highlight %s", l.Highlight)
		}
		rules[l.Highlight] = table
	}
	data, err := json.Marshal(rules)
	if err != nil {
		return nil, fmt.Errorf("encode rules to highlight: %w", err)
	}
	return data, nil
}
