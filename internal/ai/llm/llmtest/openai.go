package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/llm"
)

type openai struct{ habits Habits }

func (openai) path() string { return "/v1/chat/completions" }

func (openai) key(h http.Header) string { return strings.TrimPrefix(h.Get("Authorization"), "Bearer ") }

func (openai) authorized(h http.Header, key string) error {
	if !strings.HasPrefix(h.Get("Authorization"), "Bearer ") {
		return fmt.Errorf("authorization does not use the Bearer scheme")
	}
	return keyOnlyIn(h, key, "Authorization")
}

func (openai) filler() string {
	return `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":null}]}` + "\n\n"
}

func (openai) failure(kind, text string) []byte {
	b, err := json.Marshal(map[string]any{"error": map[string]any{"message": text, "type": kind, "param": nil,
		"code": kind}})
	if err != nil {
		panic(err) // encoding text cannot fail
	}
	return b
}

type openaiRequest struct {
	Model         string          `json:"model"`
	Messages      []openaiMessage `json:"messages"`
	MaxTokens     int             `json:"max_tokens"`
	MaxCompletion int             `json:"max_completion_tokens"`
	Stream        bool            `json:"stream"`
	StreamOptions *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Tools []struct {
		Type     string `json:"type"`
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
}

type openaiMessage struct {
	Role    string  `json:"role"`
	Content *string `json:"content"`
	Calls   []struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
	CallID string `json:"tool_call_id"`
}

// read is as strict as the API: it refuses unknown fields, calls without results and results without calls.
func (openai) read(body []byte) (llm.Ask, string, error) {
	var in openaiRequest
	if err := strict(body, &in); err != nil {
		return llm.Ask{}, "", err
	}
	if in.Model == "" || !in.Stream || in.StreamOptions == nil || !in.StreamOptions.IncludeUsage {
		return llm.Ask{}, "", fmt.Errorf("model %q, stream %v, stream_options %v", in.Model, in.Stream,
			in.StreamOptions)
	}
	ask := llm.Ask{MaxTokens: in.MaxTokens + in.MaxCompletion}
	for _, t := range in.Tools {
		if t.Type != "function" {
			return llm.Ask{}, "", fmt.Errorf("a tool is %q", t.Type)
		}
		ask.Tools = append(ask.Tools,
			llm.Tool{Name: t.Function.Name, Description: t.Function.Description, Input: t.Function.Parameters})
	}
	for i, m := range in.Messages {
		if m.Role == "system" && i == 0 && m.Content != nil {
			ask.Instructions = *m.Content
			continue
		}
		if err := m.into(&ask); err != nil {
			return llm.Ask{}, "", fmt.Errorf("message %d: %w", i+1, err)
		}
	}
	return ask, in.Model, consistent(ask)
}

// into adds a message to the request. It joins the results of one turn and the user's text after them, as llm requires.
func (m openaiMessage) into(ask *llm.Ask) error {
	if m.Content == nil {
		if m.Role != "assistant" || len(m.Calls) == 0 {
			return fmt.Errorf("it has no content")
		}
		m.Content = new(string)
	}
	last := len(ask.Turns) - 1
	user := last >= 0 && ask.Turns[last].From == llm.User
	switch m.Role {
	case "user":
		if user && ask.Turns[last].Text == "" {
			ask.Turns[last].Text = *m.Content
			return nil
		}
		ask.Turns = append(ask.Turns, llm.Turn{From: llm.User, Text: *m.Content})
	case "tool":
		if !user {
			ask.Turns = append(ask.Turns, llm.Turn{From: llm.User})
			last++
		}
		text, failed := strings.CutPrefix(*m.Content, "Error: ")
		ask.Turns[last].Results = append(ask.Turns[last].Results,
			llm.Result{CallID: m.CallID, Text: text, Failed: failed})
	case "assistant":
		turn := llm.Turn{From: llm.Assistant, Text: *m.Content}
		for _, c := range m.Calls {
			if c.Type != "function" || !json.Valid([]byte(c.Function.Arguments)) {
				return fmt.Errorf("call of type %q with arguments %s", c.Type, c.Function.Arguments)
			}
			turn.Calls = append(turn.Calls,
				llm.Call{ID: c.ID, Name: c.Function.Name, Input: json.RawMessage(c.Function.Arguments)})
		}
		ask.Turns = append(ask.Turns, turn)
	default:
		return fmt.Errorf("it is from %q", m.Role)
	}
	return nil
}
