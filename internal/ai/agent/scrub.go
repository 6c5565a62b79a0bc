package agent

import (
	"encoding/json"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
)

// scrubber removes secrets from what is recorded. Calls run in their recorded form, so that the record shows what
// actually happened.
type scrubber struct {
	secrets []string
	redact  *guard.Redactor
}

func newScrubber(secrets []string) scrubber { return scrubber{secrets, guard.NewRedactor(secrets)} }

func (s scrubber) text(t string) string { return s.redact.Redact(t) }

func (s scrubber) calls(list []llm.Call) []agentjob.Call {
	var out []agentjob.Call
	for _, c := range list {
		c.Name, c.Input = s.text(c.Name), raw(c.Input)
		var value any
		if json.Unmarshal(c.Input, &value) == nil {
			if clean, err := json.Marshal(s.value(value)); err == nil {
				c.Input = clean
			}
		}
		out = append(out, agentjob.Call(c))
	}
	return out
}

func (s scrubber) value(v any) any {
	switch v := v.(type) {
	case string:
		return s.text(v)
	case []any:
		for i := range v {
			v[i] = s.value(v[i])
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for k := range v {
			clean[s.text(k)] = s.value(v[k])
		}
		return clean
	}
	return v
}

// HasSecret reports whether calls that a program submits contain a value that must not be recorded.
func HasSecret(secrets []string, calls []agentjob.Call) bool {
	redact := guard.NewRedactor(secrets)
	for _, c := range calls {
		var input map[string]string
		if json.Unmarshal(c.Input, &input) != nil {
			continue
		}
		for _, text := range input {
			if redact.Redact(text) != text {
				return true
			}
		}
	}
	return false
}
