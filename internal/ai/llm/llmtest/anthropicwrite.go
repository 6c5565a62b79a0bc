package llmtest

import "github.com/lectern-docs/lectern/internal/ai/llm"

type object = map[string]any

// write streams an answer as the API does.
func (anthropic) write(p *pen, a llm.Completion, model string) {
	fresh := a.Usage.Input - a.Usage.Cached
	p.add("message_start", object{"type": "message_start", "message": object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": []any{}, "stop_reason": nil,
		"stop_sequence": nil,
		"usage": object{"input_tokens": fresh - fresh/4, "cache_creation_input_tokens": fresh / 4,
			"cache_read_input_tokens": a.Usage.Cached, "output_tokens": 1}}})
	p.add("ping", object{"type": "ping"})
	index := 0
	block := func(start object, deltas []object) {
		p.add("content_block_start", object{"type": "content_block_start", "index": index, "content_block": start})
		for _, d := range deltas {
			p.add("content_block_delta", object{"type": "content_block_delta", "index": index, "delta": d})
		}
		p.add("content_block_stop", object{"type": "content_block_stop", "index": index})
		index++
	}
	if a.Text != "" {
		var deltas []object
		for _, s := range pieces(a.Text) {
			deltas = append(deltas, object{"type": "text_delta", "text": s})
		}
		block(object{"type": "text", "text": ""}, deltas)
	}
	for _, c := range a.Calls {
		deltas := []object{{"type": "input_json_delta", "partial_json": ""}}
		for _, s := range pieces(string(c.Input)) {
			deltas = append(deltas, object{"type": "input_json_delta", "partial_json": s})
		}
		block(object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": object{}}, deltas)
	}
	reason := map[llm.Stop]string{llm.Done: "end_turn", llm.Calling: "tool_use", llm.CutOff: "max_tokens",
		llm.Refused: "refusal"}[a.Stop]
	p.add("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": reason, "stop_sequence": nil},
		"usage": object{"output_tokens": a.Usage.Output}})
	p.add("message_stop", object{"type": "message_stop"})
}
