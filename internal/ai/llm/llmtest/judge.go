package llmtest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/llm"
)

// Conversation returns a request with all features: text, calls with results, a failed result, an empty one, and text
// next to results.
func Conversation() llm.Ask {
	ask := Greeting()
	ask.Turns = append(ask.Turns,
		llm.Turn{From: llm.Assistant, Text: "Two files.", Calls: []llm.Call{
			{ID: "use_0_0", Name: "read", Input: json.RawMessage(`{"path":"a"}`)},
			{ID: "use_0_1", Name: "read", Input: json.RawMessage(`{"path":"b"}`)}}},
		llm.Turn{From: llm.User, Text: "Be brief.", Results: []llm.Result{{CallID: "use_0_0", Text: "a & <b>"},
			{CallID: "use_0_1", Text: "no such file", Failed: true}}},
		llm.Turn{From: llm.Assistant, Calls: []llm.Call{{ID: "use_1_0", Name: "finish", Input: json.RawMessage(`{}`)}}},
		llm.Turn{From: llm.User, Results: []llm.Result{{CallID: "use_1_0"}}})
	return ask
}

// Recorder keeps the bodies of outgoing requests.
type Recorder struct {
	mu     sync.Mutex
	bodies [][]byte
}

// RoundTrip records the request and forwards it.
func (r *Recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	r.bodies = append(r.bodies, body)
	r.mu.Unlock()
	req = req.Clone(req.Context())
	req.Body = io.NopCloser(bytes.NewReader(body))
	return http.DefaultTransport.RoundTrip(req)
}

// SameBody fails the test unless exactly two requests were recorded, a driver's and an official client's, and both
// contain the same JSON.
func (r *Recorder) SameBody(t *testing.T) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.bodies) != 2 {
		t.Fatalf("%d requests", len(r.bodies))
	}
	var values [2]any
	for i, b := range r.bodies {
		if err := json.Unmarshal(b, &values[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(values[0], values[1]) {
		t.Errorf("the driver sends\n%s\nthe official client sends\n%s", r.bodies[0], r.bodies[1])
	}
}
