package llmtest

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/llm"
)

// Target is the configuration of a driver for a server.
type Target struct {
	URL   string
	Key   llm.Key
	Model string
	Retry llm.Retry
	Quiet time.Duration // longest silence of the server
}

// Open creates a driver's model.
type Open func(t testing.TB, target Target) llm.Model

// Run is the suite that every model driver must pass. open creates its model; dialect is its wire format.
func Run(t *testing.T, dialect Dialect, open Open) {
	s := &suite{dialect: dialect, open: open}
	t.Run("answers", s.answers)
	t.Run("conversation", s.conversation)
	t.Run("malformed calls", s.malformed)
	t.Run("temporary failures", s.passing)
	t.Run("permanent failures", s.staying)
	t.Run("key", s.key)
	t.Run("invalid requests", s.refusesAsks)
	t.Run("cancelled requests", s.gone)
	t.Run("concurrent requests", s.atOnce)
}

type suite struct {
	dialect Dialect
	open    Open
}

// waits records a driver's waits without waiting.
type waits struct {
	mu   sync.Mutex
	list []time.Duration
}

func (w *waits) wait(ctx context.Context, d time.Duration) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = append(w.list, d)
	return ctx.Err()
}

// start starts a server and creates a model that uses it.
func (s *suite) start(t *testing.T, script ...Step) (*Server, llm.Model, *waits) {
	t.Helper()
	server := Start(t, Options{Dialect: s.dialect, Script: script, Key: "sk-canary-0123456789"})
	w := &waits{}
	return server, s.open(t, Target{URL: server.URL, Key: llm.NewKey(server.Key), Model: server.Model,
		Retry: llm.Retry{Tries: 4, Random: func() float64 { return 0.5 }, Wait: w.wait}}), w
}

// Greeting returns a request with one turn and a tool.
func Greeting() llm.Ask {
	return llm.Ask{
		Instructions: "You keep documentation in order.",
		Turns:        []llm.Turn{{From: llm.User, Text: "Hello, \"model\" ✓\nsecond line"}},
		Tools: []llm.Tool{
			{Name: "read", Description: "Reads a file.",
				Input: json.RawMessage(
					`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)},
			{Name: "finish", Input: json.RawMessage(`{"type":"object","properties":{}}`)},
		},
		MaxTokens: 321,
	}
}

func (s *suite) answers(t *testing.T) {
	for name, want := range map[string]llm.Completion{
		"words":   {Text: "Hello – ünïcode 🎉, <b>&amp;</b> and \u2028 lines\n\n\tgo on.", Stop: llm.Done},
		"nothing": {Stop: llm.Done},
		"a call": {Text: "Let me look.", Stop: llm.Calling,
			Calls: []llm.Call{{ID: "use_0_0", Name: "read", Input: json.RawMessage(`{"path": "a \"b\".mdx"}`)}}},
		"calls, no words": {Stop: llm.Calling,
			Calls: []llm.Call{{ID: "a-1", Name: "read", Input: json.RawMessage(`{"path":"ä"}`)},
				{ID: "b_2", Name: "finish", Input: json.RawMessage(`{}`)}}},
		"cut off":        {Text: "And so on and", Stop: llm.CutOff},
		"refusal":        {Text: "I will not do that.", Stop: llm.Refused},
		"counts":         {Text: "x", Stop: llm.Done, Usage: llm.Usage{Input: 123456, Cached: 120000, Output: 77}},
		"nothing cached": {Text: "x", Stop: llm.Done, Usage: llm.Usage{Input: 9, Output: 1}},
		"cut inside a call": {Text: "x", Stop: llm.CutOff,
			Calls: []llm.Call{{ID: "a", Name: "finish", Input: json.RawMessage(`{}`)},
				{ID: "b", Name: "read", Input: json.RawMessage(`{"pa`)}}},
	} {
		t.Run(name, func(t *testing.T) {
			server, model, waited := s.start(t, Step{Answer: want})
			var heard strings.Builder
			got, err := model.Answer(t.Context(), Greeting(), func(piece string) { heard.WriteString(piece) })
			if err != nil {
				t.Fatal(err)
			}
			want := server.complete(want, 0)
			want.Model = server.Model + "-snapshot"
			if name == "cut inside a call" {
				want.Calls = want.Calls[:1]
			}
			same(t, got, want)
			if want.Stop != llm.Refused && heard.String() != want.Text {
				t.Errorf("heard %q of %q", heard.String(), want.Text)
			}
			if len(waited.list) > 0 || !reflect.DeepEqual(server.Asks(), []llm.Ask{Greeting()}) {
				t.Errorf("waits %v, asks %+v", waited.list, server.Asks())
			}
		})
	}
}

func same(t *testing.T, got, want llm.Completion) {
	t.Helper()
	if len(got.Calls) == 0 {
		got.Calls = nil
	}
	if len(want.Calls) == 0 {
		want.Calls = nil
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("answer\n%+v, want\n%+v", got, want)
	}
}

// conversation runs three steps with results, including failed ones, and with user text next to them.
func (s *suite) conversation(t *testing.T) {
	server, model, _ := s.start(t,
		Use("Two files.", "read", `{"path":"a"}`, "read", `{"path":"b"}`).Expecting("Hello"),
		Use("", "finish", `{}`).Expecting("content of a", "no such file", "also be brief"),
		Say("Done."))
	ask := Greeting()
	for step := 0; ; step++ {
		got, err := model.Answer(t.Context(), ask, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Stop != llm.Calling {
			break
		}
		next := llm.Turn{From: llm.User}
		for i, c := range got.Calls {
			next.Results = append(next.Results,
				llm.Result{CallID: c.ID, Text: []string{"content of a", "no such file"}[i%2], Failed: i == 1})
		}
		if step == 0 {
			next.Text = "also be brief"
		}
		ask.Turns = append(ask.Turns, llm.Turn{From: llm.Assistant, Text: got.Text, Calls: got.Calls}, next)
	}
	asks := server.Asks()
	if len(asks) != 3 || !reflect.DeepEqual(asks[2], ask) {
		t.Errorf("%d requests; the last is\n%+v, want\n%+v", len(asks), asks[len(asks)-1], ask)
	}
}

// malformed checks that a model's input for a call, which need not be JSON, is returned unchanged and can be sent back
// in the next request.
func (s *suite) malformed(t *testing.T) {
	for _, input := range []string{`{"path": "a`, `not json`, `["a"]`, `"text"`, `{"path": "a"}}`} {
		server, model, _ := s.start(t, Use("", "read", input), Say("I see."))
		ask := Greeting()
		got, err := model.Answer(t.Context(), ask, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Stop != llm.Calling || len(got.Calls) != 1 || string(got.Calls[0].Input) != input {
			t.Errorf("%s: answer %+v", input, got)
		}
		ask.Turns = append(ask.Turns, llm.Turn{From: llm.Assistant, Calls: got.Calls},
			llm.Turn{From: llm.User,
				Results: []llm.Result{{CallID: got.Calls[0].ID, Text: "That is no JSON.", Failed: true}}})
		if _, err := model.Answer(t.Context(), ask, nil); err != nil {
			t.Errorf("%s: %v", input, err)
		}
		var sent struct{ Invalid string }
		if err := json.Unmarshal(server.Asks()[1].Turns[1].Calls[0].Input, &sent); err != nil || sent.Invalid != input {
			t.Errorf("%s was sent back as %q, %v", input, sent.Invalid, err)
		}
	}
}
