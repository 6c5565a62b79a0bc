package llmtest

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/llm"
)

// stream is the body of every response.
type stream string

// RoundTrip implements http.RoundTripper.
func (s stream) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body: io.NopCloser(strings.NewReader(string(s))),
	}, nil
}

// Fuzz is a test that every driver must pass: for any response stream, the driver returns either an error or a
// completion that can be sent back to the server. open creates the driver's model with a transport.
func Fuzz(f *testing.F, open func(http.RoundTripper) (llm.Model, error)) {
	f.Fuzz(func(t *testing.T, body string) {
		m, err := open(stream(body))
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
