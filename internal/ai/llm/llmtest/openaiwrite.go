package llmtest

import (
	"encoding/json"
	"fmt"

	"github.com/lectern-docs/lectern/internal/ai/llm"
)

func (o openai) reason(a llm.Completion) string {
	if o.habits.StopOnly && a.Stop == llm.Calling {
		return "stop"
	}
	return map[llm.Stop]string{llm.Done: "stop", llm.Calling: "tool_calls", llm.CutOff: "length",
		llm.Refused: "stop"}[a.Stop]
}

func (o openai) usage(a llm.Completion) any {
	if o.habits.NoUsage {
		return nil
	}
	return object{"prompt_tokens": a.Usage.Input, "completion_tokens": a.Usage.Output,
		"total_tokens":          a.Usage.Input + a.Usage.Output,
		"prompt_tokens_details": object{"cached_tokens": a.Usage.Cached}}
}

// write streams an answer as the API does, or as servers with different habits do.
func (o openai) write(p *pen, a llm.Completion, model string) {
	if o.habits.Whole {
		o.writeWhole(p, a, model)
		return
	}
	chunk := func(delta object, finish any) {
		p.add("", object{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000, "model": model,
			"system_fingerprint": "fp_1", "usage": nil,
			"choices": []any{object{"index": 0, "delta": delta, "logprobs": nil, "finish_reason": finish}}})
	}
	word := "content"
	if a.Stop == llm.Refused {
		word = "refusal"
	}
	chunk(object{"role": "assistant", "content": "", "refusal": nil}, nil)
	if a.Text != "" {
		for _, s := range pieces(a.Text) {
			chunk(object{word: s}, nil)
		}
	}
	for i, c := range a.Calls {
		first := o.call(i, c)
		if o.habits.NoIndex || o.habits.Objects {
			chunk(object{"tool_calls": []any{first}}, nil)
			continue
		}
		first["function"] = object{"name": c.Name, "arguments": ""}
		chunk(object{"tool_calls": []any{first}}, nil)
		for _, s := range pieces(string(c.Input)) {
			chunk(object{"tool_calls": []any{object{"index": i, "function": object{"arguments": s}}}}, nil)
		}
	}
	chunk(object{}, o.reason(a))
	if !o.habits.NoUsage {
		p.add("", object{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000, "model": model,
			"choices": []any{}, "usage": o.usage(a)})
	}
	if !o.habits.NoDone {
		p.add("", "[DONE]")
	}
}

// call returns a call in one piece.
func (o openai) call(i int, c llm.Call) object {
	out := object{"index": i, "id": c.ID, "type": "function",
		"function": object{"name": c.Name, "arguments": string(c.Input)}}
	if o.habits.Objects && json.Valid(c.Input) {
		out["function"] = object{"name": c.Name, "arguments": c.Input}
	}
	if o.habits.NoIDs {
		delete(out, "id")
	}
	if o.habits.SameIDs {
		out["id"] = fmt.Sprintf("call_%d", i)
	}
	if o.habits.NoIndex {
		delete(out, "index")
	}
	return out
}

func (o openai) writeWhole(p *pen, a llm.Completion, model string) {
	message := object{"role": "assistant", "content": a.Text, "refusal": nil}
	if a.Stop == llm.Refused {
		message["content"], message["refusal"] = nil, a.Text
	}
	var calls []any
	for i, c := range a.Calls {
		one := o.call(i, c)
		delete(one, "index")
		calls = append(calls, one)
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	p.whole = object{"id": "chatcmpl-1", "object": "chat.completion", "created": 1700000000, "model": model,
		"usage":   o.usage(a),
		"choices": []any{object{"index": 0, "message": message, "finish_reason": o.reason(a)}}}
}
