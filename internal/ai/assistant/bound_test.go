package assistant_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/llmtest"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
)

// thinker is a model that computes its answer from the request, unlike a script.
type thinker func(n int, ask llm.Ask) (llm.Completion, error)

// asked counts the requests to a thinker and their bytes.
type asked struct {
	think    thinker
	n, bytes int
}

func (a *asked) Answer(_ context.Context, ask llm.Ask, heard func(string)) (llm.Completion, error) {
	a.n++
	a.bytes += len(ask.Instructions)
	for _, t := range ask.Turns {
		a.bytes += len(t.Text)
		for _, r := range t.Results {
			a.bytes += len(r.Text)
		}
	}
	out, err := a.think(a.n, ask)
	heard(out.Text)
	return out, err
}

func calls(pairs ...string) llm.Completion {
	out := llm.Completion{Stop: llm.Calling, Model: "m", Usage: llm.Usage{Input: 100, Output: 1}}
	for i := 0; i+1 < len(pairs); i += 2 {
		out.Calls = append(out.Calls, llm.Call{ID: fmt.Sprint(i), Name: pairs[i], Input: json.RawMessage(pairs[i+1])})
	}
	return out
}

var goesOn = regexp.MustCompile(`The page continues: call read_page with offset (\d+)`)

func TestLongPageIsReadToItsEnd(t *testing.T) {
	read, parts := "", 0
	m := &asked{think: func(n int, ask llm.Ask) (llm.Completion, error) {
		if n == 1 {
			return calls("read_page", `{"path":"/long"}`), nil
		}
		last := ask.Turns[len(ask.Turns)-1].Results[0].Text
		read += last
		parts++
		if m := goesOn.FindStringSubmatch(last); m != nil {
			return calls("read_page", `{"path":"/long","offset":`+m[1]+`}`), nil
		}
		return llm.Completion{Text: fmt.Sprintf("All of it [%d].", parts+1), Stop: llm.Done}, nil
	}}
	r, _ := answered(t, assistant.New(m, llm.Retry{Tries: 1}), assistant.Question{Text: "kerosene"})
	for i := range 30 {
		if mark := fmt.Sprintf("BALLAST%02d", i); strings.Count(read, mark) != 1 {
			t.Errorf("%s was read %d times", mark, strings.Count(read, mark))
		}
	}
	if parts != 3 || r.Type != conversation.Answered || len(r.Sources) != 1 || r.Sources[0].Path != "/long" {
		t.Errorf("%d parts: %+v", parts, r)
	}
}

// A5: whatever a client sends and whatever a model calls, a question costs a bounded number of model requests and
// bytes.
func TestCostOfQuestionIsLimited(t *testing.T) {
	q := assistant.Question{Text: "thruster sand lead " + strings.Repeat("x", 3900), Page: "/long",
		Passages: assistant.MaxPassages}
	for range 10 {
		q.Contexts = append(q.Contexts, assistant.Context{Text: strings.Repeat("y", 6000)})
	}
	for range 49 {
		q.Earlier = append(q.Earlier, assistant.Turn{Reader: true, Text: strings.Repeat("z", 3000)})
	}
	m := &asked{}
	m.think = func(n int, ask llm.Ask) (llm.Completion, error) {
		if n == 1 {
			if y, z := strings.Count(fmt.Sprint(ask.Turns), "y"),
				strings.Count(fmt.Sprint(ask.Turns), "z"); y > 12_500 || z > 12_500 {
				t.Errorf("the request has %d characters of selected text and %d of earlier turns", y, z)
			}
		}
		return calls("read_page", `{"path":"/long"}`, "read_page", `{"path":"/long","offset":3000}`, "read_page",
			`{"path":"/long","offset":6000}`, "read_page", `{"path":"/long","offset":8000}`, "search_docs",
			`{"query":"sand"}`), nil
	}
	r, _ := answered(t, assistant.New(m, llm.Retry{Tries: 1}), q)
	if m.n > 4 || m.bytes > 260_000 || r.Type != conversation.Unanswered {
		t.Errorf("%d asks, %d bytes: %+v", m.n, m.bytes, r)
	}
}

func TestFailedAnswerReportsUsage(t *testing.T) {
	reset := errors.New("reset")
	m := &asked{think: func(n int, _ llm.Ask) (llm.Completion, error) {
		if n == 1 {
			return calls("search_docs", `{"query":"thruster"}`), nil
		}
		return llm.Completion{}, reset
	}}
	r, _ := answered(t, assistant.New(m, llm.Retry{Tries: 1}).Called("set-name"), assistant.Question{Text: "thruster"})
	if r.Type != conversation.Failed || !errors.Is(r.Err, reset) || r.Model != "m" || r.Usage.Input != 100 {
		t.Errorf("%+v", r)
	}
	m.think = func(int, llm.Ask) (llm.Completion, error) { return llm.Completion{Text: "Four screws hold"}, reset }
	r, _ = answered(t, assistant.New(m, llm.Retry{Tries: 1}).Called("set-name"), assistant.Question{Text: "thruster"})
	if r.Type != conversation.Failed || r.Model != "set-name" || r.Usage.Input == 0 || r.Usage.Output == 0 {
		t.Errorf("after some text: %+v", r)
	}
}

func TestTruncatedAnswerClosesCodeBlock(t *testing.T) {
	each(t, llmtest.Script{llmtest.Say("See [1].\n\n```go\n" + strings.Repeat("x := 1 // a line of code\n", 900))},
		func(t *testing.T, _ *llmtest.Server, a *assistant.Assistant) {
			r, _ := answered(t, a, assistant.Question{Text: "thruster"})
			if r.Type != conversation.Answered || strings.Count(r.Text, "```") != 2 ||
				!strings.HasSuffix(r.Text, "\n```\n …") {
				t.Errorf("%s, %q", r.Type, r.Text[len(r.Text)-60:])
			}
		})
}

func TestAnswersMayQuoteAuthorInstructions(t *testing.T) {
	each(t, llmtest.Script{llmtest.Say(billing + " The thruster is free [1].")},
		func(t *testing.T, _ *llmtest.Server, a *assistant.Assistant) {
			r, _ := answered(t, a, assistant.Question{Text: "What does the thruster cost?"})
			if r.Type != conversation.Answered || !strings.HasPrefix(r.Text, billing) {
				t.Errorf("%+v", r)
			}
		})
}
