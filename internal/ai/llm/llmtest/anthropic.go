package llmtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/llm"
)

type anthropic struct{}

func (anthropic) path() string { return "/v1/messages" }

func (anthropic) key(h http.Header) string { return h.Get("X-Api-Key") }

func (anthropic) authorized(h http.Header, key string) error {
	if h.Get("Anthropic-Version") != "2023-06-01" {
		return fmt.Errorf("anthropic-version %q", h.Get("Anthropic-Version"))
	}
	return keyOnlyIn(h, key, "X-Api-Key")
}

// keyOnlyIn refuses a key in a header where it does not belong.
func keyOnlyIn(h http.Header, key, name string) error {
	for other, values := range h {
		if other != name && strings.Contains(strings.Join(values, " "), key) {
			return fmt.Errorf("the key is in header %s", other)
		}
	}
	return nil
}

func (anthropic) filler() string { return "event: ping\ndata: {\"type\": \"ping\"}\n\n" }

func (anthropic) failure(kind, text string) []byte {
	b, err := json.Marshal(map[string]any{"type": "error", "error": map[string]string{"type": kind, "message": text},
		"request_id": "req_1"})
	if err != nil {
		panic(err) // encoding text cannot fail
	}
	return b
}

type anthropicBlock struct {
	Type      string           `json:"type"`
	Text      *string          `json:"text"`
	ID        string           `json:"id"`
	Name      string           `json:"name"`
	Input     json.RawMessage  `json:"input"`
	ToolUseID string           `json:"tool_use_id"`
	Content   []anthropicBlock `json:"content"`
	IsError   bool             `json:"is_error"`
	Cache     *struct {
		Type string `json:"type"`
	} `json:"cache_control"`
}

type anthropicRequest struct {
	Model     string           `json:"model"`
	MaxTokens int              `json:"max_tokens"`
	System    []anthropicBlock `json:"system"`
	Messages  []struct {
		Role    string           `json:"role"`
		Content []anthropicBlock `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"input_schema"`
		Cache       *struct {
			Type string `json:"type"`
		} `json:"cache_control"`
	} `json:"tools"`
	Stream bool `json:"stream"`
}

// read is as strict as the API: it refuses unknown fields, blank text, calls without results and results without calls.
func (anthropic) read(body []byte) (llm.Ask, string, error) {
	var in anthropicRequest
	if err := strict(body, &in); err != nil {
		return llm.Ask{}, "", err
	}
	if in.Model == "" || in.MaxTokens <= 0 || !in.Stream {
		return llm.Ask{}, "", fmt.Errorf("model %q, max_tokens %d, stream %v", in.Model, in.MaxTokens, in.Stream)
	}
	ask, marks := llm.Ask{MaxTokens: in.MaxTokens}, 0
	for _, b := range in.System {
		if b.Type != "text" || b.Text == nil || strings.TrimSpace(*b.Text) == "" {
			return llm.Ask{}, "", fmt.Errorf("system has a block that is not text")
		}
		ask.Instructions += *b.Text
		if b.Cache != nil {
			marks++
		}
	}
	for _, t := range in.Tools {
		ask.Tools = append(ask.Tools, llm.Tool{Name: t.Name, Description: t.Description, Input: t.Schema})
		if t.Cache != nil {
			marks++
		}
	}
	for i, m := range in.Messages {
		turn := llm.Turn{From: llm.Speaker(m.Role)}
		if len(m.Content) == 0 {
			return llm.Ask{}, "", fmt.Errorf("message %d is empty", i+1)
		}
		for _, b := range m.Content {
			if err := b.into(&turn); err != nil {
				return llm.Ask{}, "", fmt.Errorf("message %d: %w", i+1, err)
			}
			if b.Cache != nil {
				marks++
			}
		}
		ask.Turns = append(ask.Turns, turn)
	}
	if marks > 4 {
		return llm.Ask{}, "", fmt.Errorf("%d blocks have cache_control; the limit is 4", marks)
	}
	return ask, in.Model, consistent(ask)
}

func (b anthropicBlock) into(t *llm.Turn) error {
	switch b.Type {
	case "text":
		if b.Text == nil || strings.TrimSpace(*b.Text) == "" {
			return fmt.Errorf("text is blank")
		}
		t.Text += *b.Text
	case "tool_use":
		if !isObject(b.Input) || strings.Trim(b.ID, llm.NameBytes) != "" {
			return fmt.Errorf("tool_use %q has the input %s", b.ID, b.Input)
		}
		t.Calls = append(t.Calls, llm.Call{ID: b.ID, Name: b.Name, Input: b.Input})
	case "tool_result":
		if t.Text != "" {
			return fmt.Errorf("a tool_result comes after text")
		}
		var inner llm.Turn
		for _, part := range b.Content {
			if err := part.into(&inner); err != nil || part.Type != "text" {
				return fmt.Errorf("content of a tool_result is %s: %w", part.Type, err)
			}
		}
		t.Results = append(t.Results, llm.Result{CallID: b.ToolUseID, Text: inner.Text, Failed: b.IsError})
	default:
		return fmt.Errorf("a block is %q", b.Type)
	}
	return nil
}

func isObject(raw json.RawMessage) bool {
	var m map[string]json.RawMessage
	return json.Unmarshal(raw, &m) == nil && m != nil
}

func strict(body []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("read request: %w", err)
	}
	if d.More() {
		return fmt.Errorf("read request: there is data after its end")
	}
	return nil
}

// consistent checks the rules that both formats have for a conversation: the rules in llm, and that a conversation with
// calls still offers tools. A model may have called a tool that does not exist.
func consistent(ask llm.Ask) error {
	if err := ask.Check(); err != nil {
		return err
	}
	for _, t := range ask.Turns {
		for _, c := range t.Calls {
			if len(ask.Tools) == 0 || strings.Trim(c.Name, llm.NameBytes) != "" {
				return fmt.Errorf("call of %q, and %d tools are offered", c.Name, len(ask.Tools))
			}
		}
	}
	return nil
}
