package anthropic

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
	f.Add("data: {\"type\":\"message_start\"}\n\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"b\"}}\n\n" +
		"data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"partial_json\":\"{\"}}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n")
	f.Add("data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}\n\n")
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
