package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/wire"
)

// completion assembles an answer from the server's chunks: any number of chunks with pieces of the answer, the last
// of them with the finish reason, possibly a chunk with usage counts, then [DONE]. Some servers omit the last ones,
// or send one whole answer instead.
type completion struct {
	heard   func(string)
	model   string
	finish  string
	text    strings.Builder
	refusal strings.Builder
	calls   []*piece
	usage   *usage
}

type piece struct {
	id, name string
	input    strings.Builder
}

type usage struct {
	Prompt     int64 `json:"prompt_tokens"`
	Completion int64 `json:"completion_tokens"`
	Details    struct {
		Cached int64 `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

// chunk is a chunk of a stream or a whole answer: only the name of the field with the text differs.
type chunk struct {
	Model   string `json:"model"`
	Choices []struct {
		Index   int    `json:"index"`
		Delta   delta  `json:"delta"`
		Message delta  `json:"message"`
		Finish  string `json:"finish_reason"`
	} `json:"choices"`
	Usage *usage          `json:"usage"`
	Error json.RawMessage `json:"error"`
}

type delta struct {
	Content string `json:"content"`
	Refusal string `json:"refusal"`
	Calls   []struct {
		Index    *int   `json:"index"`
		ID       string `json:"id"`
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

const maxCalls = 1000 // per answer

func (c *completion) read(r *wire.Reply) error {
	if r.Kind == "application/json" {
		var whole json.RawMessage
		if err := r.JSON(&whole); err != nil {
			return err
		}
		return c.addChunk(whole)
	}
	if r.Kind != "text/event-stream" {
		return wire.Invalid("it is %q, not a stream of events", r.Kind)
	}
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) && c.finish == "" {
			return wire.ErrCut
		}
		if errors.Is(err, io.EOF) || err == nil && string(bytes.TrimSpace(e.Data)) == "[DONE]" {
			return nil
		}
		if err != nil {
			return err
		}
		if err := c.addChunk(e.Data); err != nil {
			return err
		}
	}
}

func (c *completion) addChunk(raw []byte) error {
	var k chunk
	if err := json.Unmarshal(raw, &k); err != nil {
		return wire.Invalid("a part is not valid JSON: %v", err)
	}
	if len(k.Error) > 0 && string(k.Error) != "null" {
		return wire.ParseServerError(raw).Fault(0)
	}
	if k.Model != "" {
		c.model = k.Model
	}
	if k.Usage != nil {
		c.usage = k.Usage
	}
	for _, choice := range k.Choices {
		if choice.Index != 0 {
			continue // only one was requested
		}
		if choice.Finish != "" {
			c.finish = choice.Finish
		}
		for _, s := range []delta{choice.Delta, choice.Message} {
			if err := c.addDelta(s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *completion) addDelta(s delta) error {
	c.text.WriteString(s.Content)
	c.refusal.WriteString(s.Refusal)
	if c.heard != nil && s.Content != "" {
		c.heard(s.Content)
	}
	for i, part := range s.Calls {
		at := i
		switch {
		case part.Index != nil:
			at = *part.Index
		case part.Function.Name != "": // a server without indexes sends calls whole
			at = len(c.calls)
		case len(c.calls) > 0:
			at = len(c.calls) - 1
		}
		if at < 0 || at > len(c.calls) || at >= maxCalls {
			return wire.Invalid("call %d comes after call %d", at, len(c.calls))
		}
		if at == len(c.calls) {
			c.calls = append(c.calls, &piece{})
		}
		c.calls[at].add(part.ID, part.Function.Name, part.Function.Arguments)
	}
	return nil
}

// add adds a piece of a call. Arguments are text, in pieces; some servers send an object.
func (p *piece) add(id, name string, arguments json.RawMessage) {
	if p.id == "" {
		p.id = id
	}
	if p.name == "" {
		p.name = name
	}
	var text string
	switch {
	case len(arguments) == 0 || string(arguments) == "null":
	case json.Unmarshal(arguments, &text) == nil:
		p.input.WriteString(text)
	default:
		p.input.Write(arguments)
	}
}

// stops maps the API's finish reasons.
var stops = map[string]llm.Stop{
	"stop": llm.Done, "tool_calls": llm.Calling, "function_call": llm.Calling, "length": llm.CutOff,
	"content_filter": llm.Refused,
}

// answer combines the pieces. sent is the request's size in bytes, from which tokens are estimated if the server
// counts none.
func (c *completion) answer(sent int) (llm.Completion, error) {
	stop, known := stops[c.finish]
	if !known {
		return llm.Completion{}, wire.Invalid("it ended for an unknown reason %q", c.finish)
	}
	out := llm.Completion{Text: c.text.String(), Stop: stop, Model: c.model}
	if c.refusal.Len() > 0 {
		out.Text, out.Stop = out.Text+c.refusal.String(), llm.Refused
	}
	written := len(out.Text)
	for _, p := range c.calls {
		if p.name == "" {
			return llm.Completion{}, wire.Invalid("a call has no name")
		}
		input := json.RawMessage(strings.TrimSpace(p.input.String()))
		if len(input) == 0 {
			input = json.RawMessage("{}")
		}
		written += len(input)
		out.Calls = append(out.Calls, llm.Call{ID: p.id, Name: p.name, Input: input})
	}
	const bytesPerToken = 4 // approximately, for English
	out.Usage = llm.Usage{Input: int64(sent/bytesPerToken) + 1, Output: int64(written/bytesPerToken) + 1}
	if c.usage != nil && c.usage.Prompt > 0 {
		out.Usage = llm.Usage{Input: c.usage.Prompt, Cached: c.usage.Details.Cached, Output: c.usage.Completion}
	}
	return out.Normalized(), nil
}
