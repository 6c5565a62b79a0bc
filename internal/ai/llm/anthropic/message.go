package anthropic

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/wire"
)

// message assembles an answer from the server's events:
//
//	message_start { content_block_start { content_block_delta } content_block_stop } message_delta message_stop
//
// ping may occur anywhere, and so may unknown events; error may occur anywhere as the last event.
type message struct {
	heard  func(string)
	model  string
	stop   string
	usage  usage
	blocks []*part
	over   bool // message_stop was received
}

type part struct {
	kind, id, name string
	text           strings.Builder
	input          strings.Builder
	start          json.RawMessage // input as given in content_block_start
}

type usage struct {
	Input   int64 `json:"input_tokens"`
	Output  int64 `json:"output_tokens"`
	Created int64 `json:"cache_creation_input_tokens"`
	Read    int64 `json:"cache_read_input_tokens"`
}

type event struct {
	Type    string `json:"type"`
	Index   int    `json:"index"`
	Message struct {
		Model string `json:"model"`
		Usage usage  `json:"usage"`
	} `json:"message"`
	Block struct {
		Type  string          `json:"type"`
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Text  string          `json:"text"`
		Input json.RawMessage `json:"input"`
	} `json:"content_block"`
	Delta struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Partial string `json:"partial_json"`
		Stop    string `json:"stop_reason"`
	} `json:"delta"`
	Usage usage `json:"usage"`
}

const maxParts = 1000 // blocks per answer

func (m *message) read(r *wire.Reply) error {
	if r.Kind != "text/event-stream" {
		return wire.Invalid("it is %q, not a stream of events", r.Kind)
	}
	for !m.over {
		raw, err := r.Next()
		if errors.Is(err, io.EOF) {
			return wire.ErrCut
		}
		if err != nil {
			return err
		}
		var e event
		if err := json.Unmarshal(raw.Data, &e); err != nil {
			return wire.Invalid("an event is not valid JSON: %v", err)
		}
		if e.Type == "error" {
			return wire.ParseServerError(raw.Data).Fault(0)
		}
		if err := m.take(e); err != nil {
			return err
		}
	}
	return nil
}

func (m *message) take(e event) error {
	switch e.Type {
	case "message_start":
		m.model = e.Message.Model
		m.usage = e.Message.Usage
	case "content_block_start":
		if e.Index != len(m.blocks) || e.Index >= maxParts {
			return wire.Invalid("block %d starts after block %d", e.Index, len(m.blocks))
		}
		p := &part{kind: e.Block.Type, id: e.Block.ID, name: e.Block.Name, start: e.Block.Input}
		m.blocks = append(m.blocks, p)
		m.addText(p, e.Block.Text)
	case "content_block_delta":
		if e.Index < 0 || e.Index >= len(m.blocks) {
			return wire.Invalid("block %d continues before it started", e.Index)
		}
		p := m.blocks[e.Index]
		m.addText(p, e.Delta.Text)
		p.input.WriteString(e.Delta.Partial)
	case "message_delta":
		m.stop = e.Delta.Stop
		m.usage = m.usage.later(e.Usage)
	case "message_stop":
		m.over = true
	}
	return nil
}

func (m *message) addText(p *part, text string) {
	if p.kind != "text" || text == "" {
		return
	}
	p.text.WriteString(text)
	if m.heard != nil {
		m.heard(text)
	}
}

// later merges a later count: counts are totals, and newer servers repeat all of them.
func (u usage) later(v usage) usage {
	return usage{Input: max(u.Input, v.Input), Output: max(u.Output, v.Output), Created: max(u.Created, v.Created),
		Read: max(u.Read, v.Read)}
}

// stops maps the API's stop reasons. pause_turn only concerns the server's own tools, which we do not use.
var stops = map[string]llm.Stop{
	"end_turn": llm.Done, "stop_sequence": llm.Done, "pause_turn": llm.Done, "tool_use": llm.Calling,
	"max_tokens": llm.CutOff, "model_context_window_exceeded": llm.CutOff, "refusal": llm.Refused,
}

func (m *message) answer() (llm.Completion, error) {
	stop, known := stops[m.stop]
	if !known {
		return llm.Completion{}, wire.Invalid("it ended for an unknown reason %q", m.stop)
	}
	out := llm.Completion{Stop: stop, Model: m.model, Usage: llm.Usage{
		Input: m.usage.Input + m.usage.Created + m.usage.Read, Cached: m.usage.Read, Output: m.usage.Output}}
	var text strings.Builder
	for _, p := range m.blocks {
		switch p.kind {
		case "text":
			text.WriteString(p.text.String())
		case "tool_use":
			if p.name == "" {
				return llm.Completion{}, wire.Invalid("a call has no name")
			}
			out.Calls = append(out.Calls, llm.Call{ID: p.id, Name: p.name, Input: p.written()})
		}
	}
	out.Text = text.String()
	return out.Normalized(), nil
}

// written returns the model's input for a call; {} if it is empty.
func (p *part) written() json.RawMessage {
	if p.input.Len() > 0 {
		return json.RawMessage(p.input.String())
	}
	if len(p.start) > 0 && string(p.start) != "null" {
		return p.start
	}
	return json.RawMessage("{}")
}
