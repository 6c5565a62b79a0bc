package openai

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/llm"
)

// body answers every request with the same stream.
type body string

func (b body) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(strings.NewReader(string(b)))}, nil
}

// Whatever a server says, there is an answer that can be sent back to it, or an error.
func FuzzAnswer(f *testing.F) {
	f.Add("data: {\"choices\":[{\"delta\":{\"content\":\"a\",\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"b\",\"arguments\":\"{\"}}]}}]}\n\n" +
		"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":5}}\n\ndata: [DONE]\n\n")
	f.Add("data: {\"error\":{\"message\":\"x\"}}\n\n")
	f.Fuzz(func(t *testing.T, stream string) {
		m, err := New(Options{Model: "m", HTTP: body(stream), Retry: llm.Retry{Tries: 1}})
		if err != nil {
			t.Fatal(err)
		}
		ask := llm.Ask{Turns: []llm.Turn{{From: llm.User, Text: "x"}}}
		a, err := m.Answer(t.Context(), ask, func(string) {})
		if err != nil {
			return
		}
		next := llm.Turn{From: llm.User, Text: "y"}
		for _, c := range a.Calls {
			if c.ID == "" || c.Name == "" || !json.Valid(c.Object()) {
				t.Errorf("call %+v", c)
			}
			next.Results = append(next.Results, llm.Result{CallID: c.ID})
		}
		ask.Turns = append(ask.Turns, llm.Turn{From: llm.Assistant, Text: a.Text, Calls: a.Calls}, next)
		if err := ask.Check(); err != nil {
			t.Errorf("%+v: %v", a, err)
		}
		if (a.Stop == llm.Calling) != (len(a.Calls) > 0) && a.Stop != llm.CutOff {
			t.Errorf("%s with %d calls", a.Stop, len(a.Calls))
		}
	})
}
