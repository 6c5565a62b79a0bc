package openai_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/llmtest"
)

// Local servers omit ids, usage counts, call indexes, the end of the stream, or streaming itself. A conversation still
// works, with unique ids and counts above zero.
func TestServerVariantsAreSupported(t *testing.T) {
	for _, h := range []llmtest.Habits{
		{NoIDs: true}, {SameIDs: true}, {NoUsage: true}, {NoDone: true}, {NoIndex: true}, {Whole: true},
		{Objects: true}, {StopOnly: true},
		{NoIDs: true, NoUsage: true, NoDone: true, NoIndex: true, StopOnly: true},
		{NoIDs: true, NoUsage: true, Whole: true, Objects: true, StopOnly: true},
	} {
		t.Run(fmt.Sprintf("%+v", h), func(t *testing.T) {
			server := llmtest.Start(t, llmtest.Options{Dialect: llmtest.OpenAI, Habits: h, Script: llmtest.Script{
				llmtest.Use("One.", "read", `{"path":"a"}`, "read", `{"path":"b"}`),
				llmtest.Use("Two.", "finish", `{}`).Expecting("it is read"), llmtest.Say("Three.")}})
			model := open(t, llmtest.Target{URL: server.URL, Key: llm.NewKey(server.Key), Model: server.Model,
				Retry: llm.Retry{Tries: 1}})
			ask := llmtest.Greeting()
			var said []string
			for range 3 {
				got, err := model.Answer(t.Context(), ask, nil)
				if err != nil {
					t.Fatal(err)
				}
				said = append(said, got.Text)
				if got.Usage.Input < 10 || got.Usage.Output < 1 {
					t.Errorf("usage %+v", got.Usage)
				}
				next := llm.Turn{From: llm.User, Text: "Go on."}
				for _, c := range got.Calls {
					next.Results = append(next.Results, llm.Result{CallID: c.ID, Text: "it is read"})
					if !json.Valid(c.Input) {
						t.Errorf("input %s", c.Input)
					}
				}
				ask.Turns = append(ask.Turns, llm.Turn{From: llm.Assistant, Text: got.Text, Calls: got.Calls}, next)
			}
			if fmt.Sprint(said) != "[One. Two. Three.]" || len(ask.Turns[1].Calls) != 2 ||
				len(ask.Turns[3].Calls) != 1 || len(ask.Turns[5].Calls) != 0 {
				t.Errorf("said %v in %+v", said, ask.Turns)
			}
		})
	}
}

// The address may be written with or without /v1 and with or without a slash at its end; a server that needs no key
// does not get one.
func TestAddressFormsAreEquivalent(t *testing.T) {
	var paths []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.Path)
		if r.Header.Get("Authorization") != "" {
			t.Errorf("authorization %q", r.Header.Get("Authorization"))
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprint(w, `{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}`)
	}))
	defer server.Close()
	for _, suffix := range []string{"", "/", "/v1", "/v1/", "/gateway/x"} {
		model := open(t, llmtest.Target{URL: server.URL + suffix, Model: "m"})
		if got, err := model.Answer(t.Context(), llmtest.Greeting(), nil); err != nil || got.Text != "hi" ||
			got.Model != "m" {
			t.Errorf("%q: %+v, %v", suffix, got, err)
		}
	}
	want := "[/v1/chat/completions /v1/chat/completions /v1/chat/completions /v1/chat/completions /gateway/x/chat/completions]"
	if fmt.Sprint(paths) != want {
		t.Errorf("paths %v", paths)
	}
}
