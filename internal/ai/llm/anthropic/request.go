package anthropic

import (
	"encoding/json"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/llm"
)

// The parts of the API's request that the driver uses.
type (
	request struct {
		Model     string  `json:"model"`
		MaxTokens int     `json:"max_tokens"`
		System    []block `json:"system,omitempty"`
		Messages  []turn  `json:"messages"`
		Tools     []tool  `json:"tools,omitempty"`
		Stream    bool    `json:"stream"`
	}
	turn struct {
		Role    string  `json:"role"`
		Content []block `json:"content"`
	}
	tool struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		InputSchema json.RawMessage `json:"input_schema"`
		Cache       *cache          `json:"cache_control,omitempty"`
	}
	block struct {
		Type      string          `json:"type"`
		Text      string          `json:"text,omitempty"`        // of text
		ID        string          `json:"id,omitempty"`          // of tool_use
		Name      string          `json:"name,omitempty"`        // of tool_use
		Input     json.RawMessage `json:"input,omitempty"`       // of tool_use
		ToolUseID string          `json:"tool_use_id,omitempty"` // of tool_result
		Content   []block         `json:"content,omitempty"`     // of tool_result
		IsError   bool            `json:"is_error,omitempty"`    // of tool_result
		Cache     *cache          `json:"cache_control,omitempty"`
	}
	cache struct {
		Type string `json:"type"`
	}
)

// request converts a conversation to a request. It sets three cache marks: after the tools, the instructions, and
// the end of the conversation so far, so that each step of a job reads the previous steps from the cache.
func (d *driver) request(ask llm.Ask) request {
	keep := &cache{Type: "ephemeral"}
	out := request{Model: d.model, MaxTokens: ask.MaxTokens, Stream: true}
	if out.MaxTokens <= 0 {
		out.MaxTokens = maxTokens
	}
	if strings.TrimSpace(ask.Instructions) != "" {
		out.System = []block{{Type: "text", Text: ask.Instructions, Cache: keep}}
	}
	for _, t := range ask.Tools {
		out.Tools = append(out.Tools, tool{Name: t.Name, Description: t.Description, InputSchema: t.Input})
	}
	if n := len(out.Tools); n > 0 {
		out.Tools[n-1].Cache = keep
	}
	for _, t := range ask.Turns {
		out.Messages = append(out.Messages, turn{Role: string(t.From), Content: content(t)})
	}
	end := out.Messages[len(out.Messages)-1].Content
	end[len(end)-1].Cache = keep
	return out
}

// content converts a turn to blocks: results first, as the API requires, then text, then calls. The API accepts
// neither blank text nor empty turns.
func content(t llm.Turn) []block {
	var out []block
	for _, r := range t.Results {
		result := block{Type: "tool_result", ToolUseID: callID(r.CallID), IsError: r.Failed}
		if strings.TrimSpace(r.Text) != "" {
			result.Content = []block{{Type: "text", Text: r.Text}}
		}
		out = append(out, result)
	}
	text := t.Text
	if t.From == llm.Assistant {
		text = strings.TrimRight(text, " \t\r\n") // the API refuses trailing white space in the last turn
	}
	if strings.TrimSpace(text) != "" {
		out = append(out, block{Type: "text", Text: text})
	}
	for _, c := range t.Calls {
		out = append(out, block{Type: "tool_use", ID: callID(c.ID), Name: c.Name, Input: c.Object()})
	}
	if len(out) == 0 {
		out = append(out, block{Type: "text", Text: "(no words)"})
	}
	return out
}

// callID converts an id to the API's format, because ids made by other servers may differ.
func callID(id string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(llm.NameBytes, r) {
			return r
		}
		return '_'
	}, id)
}
