package llmtest

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/lectern-docs/lectern/internal/ai/llm"
)

// Script is a recorded conversation: the model's answers, step by step.
type Script []Step

// Step is one answer of the model.
type Step struct {
	Expect  []string       // texts that the user's last turn must contain, in its text or its results
	Failure []Failure      // failures of the first requests for this step, in order
	Answer  llm.Completion // ids of calls and the model's name are filled in
	// Reply computes the answer from the request, in place of Answer. It may be nil; it must return the same answer for
	// the same request.
	Reply func(llm.Ask) llm.Completion
}

// Say returns a step that answers with text.
func Say(text string) Step { return Step{Answer: llm.Completion{Text: text, Stop: llm.Done}} }

// Use returns a step that calls tools: pairs of a name and its input as JSON.
func Use(text string, pairs ...string) Step {
	s := Step{Answer: llm.Completion{Text: text, Stop: llm.Calling}}
	for i := 0; i+1 < len(pairs); i += 2 {
		s.Answer.Calls = append(s.Answer.Calls, llm.Call{Name: pairs[i], Input: json.RawMessage(pairs[i+1])})
	}
	return s
}

// After adds failures that precede the answer.
func (s Step) After(failure ...Failure) Step { s.Failure = failure; return s }

// Expecting adds texts that the user's last turn must contain.
func (s Step) Expecting(text ...string) Step { s.Expect = text; return s }

// recorded is the form of a step in a file.
type recorded struct {
	Expect  []string  `json:"expect,omitempty"`
	Failure []Failure `json:"failure,omitempty"`
	Text    string    `json:"text,omitempty"`
	Calls   []struct {
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input,omitempty"` // an object, or a string for input that is not JSON
	} `json:"calls,omitempty"`
	Stop  llm.Stop  `json:"stop,omitempty"` // default: calling if there are calls, else done
	Usage llm.Usage `json:"usage,omitzero"`
}

// ParseScript reads a script from JSON: {"steps": [{"expect": ["…"], "failure": ["overloaded"], "text": "…",
// "calls": [{"name": "read", "input": {…}}], "stop": "done", "usage": {"input": 1, "cached": 0, "output": 1}}]}.
func ParseScript(b []byte) (Script, error) {
	var file struct {
		Steps []recorded `json:"steps"`
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return nil, fmt.Errorf("read script: %w", err)
	}
	var out Script
	for i, r := range file.Steps {
		step := Step{Expect: r.Expect, Failure: r.Failure,
			Answer: llm.Completion{Text: r.Text, Stop: r.Stop, Usage: r.Usage}}
		for _, t := range r.Failure {
			if !t.known() {
				return nil, fmt.Errorf("read script: step %d has an unknown failure %q", i+1, t)
			}
		}
		for _, c := range r.Calls {
			input := c.Input
			var text string
			if json.Unmarshal(input, &text) == nil {
				input = json.RawMessage(text)
			}
			step.Answer.Calls = append(step.Answer.Calls, llm.Call{Name: c.Name, Input: input})
		}
		if step.Answer.Stop == "" {
			step.Answer.Stop = llm.Done
			if len(r.Calls) > 0 {
				step.Answer.Stop = llm.Calling
			}
		}
		out = append(out, step)
	}
	return out, nil
}
