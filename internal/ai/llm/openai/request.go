package openai

import (
	"encoding/json"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/llm"
)

// The parts of the API's request that the driver uses.
type (
	request struct {
		Model         string  `json:"model"`
		Messages      []turn  `json:"messages"`
		Tools         []tool  `json:"tools,omitempty"`
		MaxTokens     int     `json:"max_tokens,omitempty"`
		MaxCompletion int     `json:"max_completion_tokens,omitempty"`
		Stream        bool    `json:"stream"`
		StreamOptions options `json:"stream_options"`
	}
	options struct {
		IncludeUsage bool `json:"include_usage"`
	}
	turn struct {
		Role       string `json:"role"`
		Content    string `json:"content"`
		ToolCalls  []call `json:"tool_calls,omitempty"`   // for the assistant
		ToolCallID string `json:"tool_call_id,omitempty"` // for a tool
	}
	call struct {
		ID       string   `json:"id"`
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	tool struct {
		Type     string     `json:"type"`
		Function definition `json:"function"`
	}
	definition struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	}
)

func (d *driver) request(ask llm.Ask) request {
	out := request{Model: d.model, Stream: true, StreamOptions: options{IncludeUsage: true}}
	if d.newer {
		out.MaxCompletion = max(0, ask.MaxTokens)
	} else {
		out.MaxTokens = max(0, ask.MaxTokens)
	}
	if strings.TrimSpace(ask.Instructions) != "" {
		out.Messages = append(out.Messages, turn{Role: "system", Content: ask.Instructions})
	}
	for _, t := range ask.Tools {
		out.Tools = append(out.Tools,
			tool{Type: "function", Function: definition{Name: t.Name, Description: t.Description, Parameters: t.Input}})
	}
	for _, t := range ask.Turns {
		out.Messages = append(out.Messages, messages(t)...)
	}
	return out
}

// messages converts a turn to messages: each result is a separate message, before the text of the turn. The API cannot
// mark a call as failed, so the text says so.
func messages(t llm.Turn) []turn {
	if t.From == llm.Assistant {
		out := turn{Role: "assistant", Content: t.Text}
		for _, c := range t.Calls {
			out.ToolCalls = append(out.ToolCalls,
				call{ID: c.ID, Type: "function", Function: function{Name: c.Name, Arguments: string(c.Object())}})
		}
		return []turn{out}
	}
	var out []turn
	for _, r := range t.Results {
		text := r.Text
		if r.Failed {
			text = "Error: " + text
		}
		out = append(out, turn{Role: "tool", ToolCallID: r.CallID, Content: text})
	}
	if strings.TrimSpace(t.Text) != "" {
		out = append(out, turn{Role: "user", Content: t.Text})
	}
	return out
}
