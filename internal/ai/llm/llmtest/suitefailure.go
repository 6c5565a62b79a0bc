package llmtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// passing checks that the driver waits and retries after a temporary failure, and that the answer is complete and
// contains no piece of an interrupted answer.
func (s *suite) passing(t *testing.T) {
	const first, second = 500 * time.Millisecond, time.Second // half of 1 and 2 s: the random number is always one half
	for _, c := range []struct {
		failures []Failure
		waits    []time.Duration
	}{
		{[]Failure{RateLimited}, []time.Duration{7*time.Second + first}},
		{[]Failure{RateLimitedMs, RateLimited}, []time.Duration{1500*time.Millisecond + first, 7*time.Second + second}},
		{[]Failure{Overloaded, Overloaded}, []time.Duration{first, second}},
		{[]Failure{Broken}, []time.Duration{first}},
		{[]Failure{CutAtStart, CutInside}, []time.Duration{first, second}},
		{[]Failure{EndsEarly}, []time.Duration{first}},
		{[]Failure{FailsInside}, []time.Duration{first}},
	} {
		t.Run(fmt.Sprint(c.failures), func(t *testing.T) {
			server, model, waited := s.start(t, Use("All is well that ends well.", "read", `{"path":"a"}`).
				After(c.failures...))
			got, err := model.Answer(t.Context(), Greeting(), func(string) {})
			if err != nil {
				t.Fatal(err)
			}
			if got.Text != "All is well that ends well." || len(got.Calls) != 1 ||
				string(got.Calls[0].Input) != `{"path":"a"}` {
				t.Errorf("answer %+v", got)
			}
			if !slices.Equal(waited.list, c.waits) || server.Tries(0) != len(c.failures)+1 {
				t.Errorf("waits %v, want %v; %d requests", waited.list, c.waits, server.Tries(0))
			}
		})
	}
}

// staying checks that each permanent failure is reported as the same fault by every driver, and that memory use stays
// bounded.
func (s *suite) staying(t *testing.T) {
	always := func(t Failure) []Failure { return slices.Repeat([]Failure{t}, 20) }
	for _, c := range []struct {
		failure Failure
		kind    fault.Kind
		code    string
		tries   int
	}{
		{RateLimited, fault.Unavailable, "model_busy", 4},
		{Overloaded, fault.Unavailable, "model_busy", 4},
		{CutInside, fault.Unavailable, "model_busy", 4},
		{LongAfter, fault.Unavailable, "model_busy", 1},
		{Quota, fault.Forbidden, "model_account_refused", 1},
		{TooLong, fault.TooLarge, "model_input_too_long", 1},
		{BadRequest, fault.Invalid, "model_request_refused", 1},
		{Elsewhere, fault.Invalid, "model_request_refused", 1},
		{Garbage, fault.Internal, "model_answer_invalid", 1},
		{Page, fault.Internal, "model_answer_invalid", 1},
		{Endless, fault.Internal, "model_answer_invalid", 1},
		{EndlessLine, fault.Internal, "model_answer_invalid", 1},
	} {
		t.Run(string(c.failure), func(t *testing.T) {
			server, model, _ := s.start(t, Say("Some words that are long enough to be cut.").
				After(always(c.failure)...))
			_, err := model.Answer(t.Context(), Greeting(), nil)
			if !fault.Is(err, c.kind) || !fault.HasCode(err, c.code) {
				t.Fatalf("error %v, want %s", err, c.code)
			}
			if server.Tries(0) != c.tries {
				t.Errorf("%d requests, want %d", server.Tries(0), c.tries)
			}
			hidden(t, server.Key, err)
			if f, _ := fault.As(err); c.failure == LongAfter && f.RetryAfter != time.Hour {
				t.Errorf("retry after %v", f.RetryAfter)
			}
		})
	}
}

// hidden checks that no printed form of a value shows the key.
func hidden(t *testing.T, key string, values ...any) {
	t.Helper()
	for _, v := range values {
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			text := fmt.Sprintf(format, v)
			if strings.Contains(text, key) || strings.Contains(text, fmt.Sprintf("%x", key)) {
				t.Errorf("%s shows the key: %s", format, text)
			}
		}
	}
}

func (s *suite) key(t *testing.T) {
	server, good, _ := s.start(t, Say("x"))
	hidden(t, server.Key, good)
	target := Target{URL: server.URL, Key: llm.NewKey("sk-wrong-canary"), Model: server.Model,
		Retry: llm.Retry{Tries: 1}}
	hidden(t, "sk-wrong-canary", target, target.Key, &target)
	_, err := s.open(t, target).Answer(t.Context(), Greeting(), nil)
	if !fault.HasCode(err, "model_key_refused") || !fault.Is(err, fault.Forbidden) {
		t.Errorf("wrong key: %v", err)
	}
	hidden(t, "sk-wrong-canary", err) // although the server repeats it
	target.Key, target.Model = llm.NewKey(server.Key), "other"
	_, err = s.open(t, target).Answer(t.Context(), Greeting(), nil)
	if !fault.HasCode(err, "model_unknown") || !fault.Is(err, fault.NotFound) {
		t.Errorf("unknown model: %v", err)
	}
	target.URL = "http://127.0.0.1:1/" + server.Key // nothing listens there
	_, err = s.open(t, target).Answer(t.Context(), Greeting(), nil)
	if !fault.HasCode(err, "model_busy") {
		t.Errorf("no server: %v", err)
	}
	hidden(t, server.Key, err)
}

// refusesAsks checks that a driver does not send requests that no server accepts.
func (s *suite) refusesAsks(t *testing.T) {
	server, model, _ := s.start(t, Say("x"))
	call := []llm.Call{{ID: "a", Name: "read"}}
	for name, change := range map[string]func(*llm.Ask){
		"no turns":              func(a *llm.Ask) { a.Turns = nil },
		"the assistant's first": func(a *llm.Ask) { a.Turns[0].From = llm.Assistant },
		"twice the user's":      func(a *llm.Ask) { a.Turns = append(a.Turns, a.Turns[0]) },
		"nothing said":          func(a *llm.Ask) { a.Turns[0].Text = " \n" },
		"a call without a result": func(a *llm.Ask) {
			a.Turns = append(a.Turns, llm.Turn{From: llm.Assistant, Calls: call}, a.Turns[0])
		},
		"a result without a call":  func(a *llm.Ask) { a.Turns[0].Results = []llm.Result{{CallID: "a"}} },
		"a tool without schema":    func(a *llm.Ask) { a.Tools[0].Input = nil },
		"a tool that is no object": func(a *llm.Ask) { a.Tools[0].Input = []byte(`{"type":"string"}`) },
		"a tool's name":            func(a *llm.Ask) { a.Tools[0].Name = "read file" },
		"a tool twice":             func(a *llm.Ask) { a.Tools[1].Name = "read" },
	} {
		ask := Greeting()
		change(&ask)
		if _, err := model.Answer(t.Context(), ask, nil); !fault.HasCode(err, "model_request_invalid") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(server.Asks()) > 0 {
		t.Errorf("%d were sent", len(server.Asks()))
	}
}

// gone checks that a request ends with the caller's context, even in the middle of an answer or while the server is
// silent.
func (s *suite) gone(t *testing.T) {
	server, model, waited := s.start(t, Say("Some words that are long enough to be heard.").After(Silent, Silent))
	ctx, cancel := context.WithCancelCause(t.Context())
	mine := errors.New("mine")
	_, err := model.Answer(ctx, Greeting(), func(string) { cancel(mine) })
	if !errors.Is(err, mine) || len(waited.list) > 0 {
		t.Errorf("error %v, waits %v", err, waited.list)
	}
	impatient := s.open(t, Target{URL: server.URL, Key: llm.NewKey(server.Key), Model: server.Model,
		Quiet: 50 * time.Millisecond,
		Retry: llm.Retry{Wait: waited.wait}})
	if got, err := impatient.Answer(t.Context(), Greeting(), nil); err != nil || server.Tries(0) != 3 {
		t.Errorf("answer %+v, %v after %d requests", got, err, server.Tries(0))
	}
	busy := s.open(t, Target{URL: server.URL, Key: llm.NewKey("k"), Model: server.Model,
		Retry: llm.Retry{First: time.Hour, Longest: time.Hour, Total: time.Hour}})
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := busy.Answer(ended, Greeting(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("ended before it began: %v", err)
	}
}

// atOnce checks that one model handles many conversations at the same time.
func (s *suite) atOnce(t *testing.T) {
	_, model, _ := s.start(t, Say("one").After(Overloaded, CutInside, RateLimited), Say("two"))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			ask := Greeting()
			for _, want := range []string{"one", "two"} {
				got, err := model.Answer(t.Context(), ask, func(string) {})
				if err != nil || got.Text != want {
					t.Errorf("%q, %v, want %q", got.Text, err, want)
					return
				}
				ask.Turns = append(ask.Turns, llm.Turn{From: llm.Assistant, Text: got.Text},
					llm.Turn{From: llm.User, Text: "Go on."})
			}
		})
	}
	wg.Wait()
}
