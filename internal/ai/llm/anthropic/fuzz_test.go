package anthropic

import (
	"net/http"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/llmtest"
)

func FuzzAnswer(f *testing.F) {
	f.Add(
		"data: {\"type\":\"message_start\"}\n\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"b\"}}\n\n" +
			"data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"partial_json\":\"{\"}}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n")
	f.Add("data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}\n\n")
	llmtest.Fuzz(f, func(via http.RoundTripper) (llm.Model, error) {
		return New(Options{Model: "m", HTTP: via, Retry: llm.Retry{Tries: 1}})
	})
}
