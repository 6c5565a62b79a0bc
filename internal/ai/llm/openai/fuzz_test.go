package openai

import (
	"net/http"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/llmtest"
)

func FuzzAnswer(f *testing.F) {
	f.Add(
		"data: {\"choices\":[{\"delta\":{\"content\":\"a\",\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"b\",\"arguments\":\"{\"}}]}}]}\n\n" +
			"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":5}}\n\ndata: [DONE]\n\n")
	f.Add("data: {\"error\":{\"message\":\"x\"}}\n\n")
	llmtest.Fuzz(f, func(via http.RoundTripper) (llm.Model, error) {
		return New(Options{Model: "m", HTTP: via, Retry: llm.Retry{Tries: 1}})
	})
}
