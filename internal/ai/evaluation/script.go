package evaluation

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Script is a model with prepared answers: one tool call each. It does the task perfectly, so a failure is the fault of
// a grader, a tool or the agent.
type Script []llm.Call

// Scripts returns the scripts by task name.
func Scripts() (map[string]Script, error) {
	data, err := stored.ReadFile("tasks/scripts.txt")
	if err != nil {
		return nil, fmt.Errorf("read scripts: %w", err)
	}
	out, name := map[string]Script{}, ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "-- "); ok {
			name = strings.TrimSuffix(title, " --")
			continue
		}
		tool, input, ok := strings.Cut(line, " ")
		if !ok || !json.Valid([]byte(input)) {
			return nil, fmt.Errorf("parse script %s: expected a tool and its input in %q", name, line)
		}
		out[name] = append(out[name], llm.Call{ID: fmt.Sprintf("call-%d", len(out[name])), Name: tool, Input: json.RawMessage(input)})
	}
	return out, nil
}

// Answer implements llm.Model. It returns the call that follows the calls already in the conversation.
func (s Script) Answer(ctx context.Context, ask llm.Ask, _ func(string)) (llm.Completion, error) {
	if err := ctx.Err(); err != nil {
		return llm.Completion{}, fmt.Errorf("answer: %w", err)
	}
	said := 0
	for _, t := range ask.Turns {
		if t.From == llm.Assistant {
			said++
		}
	}
	if said >= len(s) {
		return llm.Completion{}, fault.New(fault.Invalid, "script_over", "The script has no more answers.")
	}
	return llm.Completion{Calls: s[said : said+1], Stop: llm.Calling, Model: "script",
		Usage: llm.Usage{Input: int64(len(ask.Turns)), Output: 1}}, nil
}
