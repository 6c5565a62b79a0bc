package assistant_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/llmtest"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
)

func TestAnswerIsStreamedWithCitations(t *testing.T) {
	script := llmtest.Script{
		llmtest.Say("Bolt it with **four screws** [1].\n\n```bash\nrocket bolt --screws 4\n```\n\nInvented [17].").
			Expecting("four screws", "rocket bolt", "/guides/start#install-the-thruster",
				"How do I bolt the thruster?")}
	each(t, script, func(t *testing.T, s *llmtest.Server, a *assistant.Assistant) {
		r, pieces := answered(t, a, assistant.Question{Text: "How do I bolt the thruster?"})
		if r.Err != nil || r.Type != conversation.Answered ||
			r.Text != "Bolt it with **four screws** [1].\n\n```bash\nrocket bolt --screws 4\n```\n\nInvented ." ||
			pieces < 3 {
			t.Errorf("%d pieces: %+v", pieces, r)
		}
		if len(r.Sources) != 1 || r.Sources[0] != (conversation.Source{Number: 1,
			Path: "/guides/start#install-the-thruster", Title: "Start › Install the thruster"}) {
			t.Errorf("sources %+v", r.Sources)
		}
		if r.Usage.Output == 0 || !strings.HasPrefix(r.Model, "scripted-1") {
			t.Errorf("%+v %q", r.Usage, r.Model)
		}
		if instructions := s.Asks()[0].Instructions; !strings.Contains(instructions, "documentation of Rockets") ||
			!strings.Contains(instructions, "Call readers pilots.") {
			t.Errorf("instructions %q", instructions)
		}
	})
}

func TestModelCanSearchFurther(t *testing.T) {
	script := llmtest.Script{
		llmtest.Use("", "search_docs", `{"query":"torque screw"}`, "read_page", `{"path":"/guides/fuel"}`, "read_page",
			`{"path":"/secret"}`, "sing", `{}`),
		llmtest.Say("Nine newton metres [2]. It burns kerosene [3].").
			Expecting("nine newton metres", "kerosene", "Page not found.", "Unknown tool"),
	}
	each(t, script, func(t *testing.T, s *llmtest.Server, a *assistant.Assistant) {
		r, _ := answered(t, a, assistant.Question{Text: "parachute altitude"})
		if r.Err != nil || r.Type != conversation.Answered || len(r.Sources) != 2 {
			t.Fatalf("%+v", r)
		}
		for _, ask := range s.Asks() {
			for _, turn := range ask.Turns {
				for _, result := range turn.Results {
					if strings.Contains(result.Text, "secretcanary") {
						t.Error("a restricted page reached the model (C7)")
					}
				}
			}
		}
	})
}

func TestToolCallsAreLimited(t *testing.T) {
	var script llmtest.Script
	for range 10 {
		script = append(script, llmtest.Use("", "search_docs", `{"query":"thruster"}`))
	}
	each(t, script, func(t *testing.T, s *llmtest.Server, a *assistant.Assistant) {
		r, _ := answered(t, a, assistant.Question{Text: "thruster"})
		if n := len(s.Asks()); r.Type != conversation.Unanswered || n != 4 {
			t.Errorf("%d rounds: %+v", n, r)
		}
	})
}

func TestModelRefusalIsRecognised(t *testing.T) {
	for says, want := range map[string]conversation.Type{
		"[[unanswered]] I found nothing about that, but [1] is near.": conversation.Unanswered,
		" [[off-topic]]\nI answer questions about rockets only.":      conversation.Refused,
		"[[off-topic]]": conversation.Refused, "[[ 1 ]] is odd, as [1] says.": conversation.Answered,
		"It is odd.": conversation.Unanswered, "": conversation.Unanswered,
	} {
		each(t, llmtest.Script{llmtest.Say(says)}, func(t *testing.T, _ *llmtest.Server, a *assistant.Assistant) {
			r, _ := answered(t, a, assistant.Question{Text: "Who wrote the thruster opera?"})
			if r.Type != want || strings.Contains(r.Text, "[[") || r.Text == "" || r.Err != nil {
				t.Errorf("%q: %+v", says, r)
			}
		})
	}
}

func TestQuestionWithoutMatchesSkipsModel(t *testing.T) {
	each(t, nil, func(t *testing.T, s *llmtest.Server, a *assistant.Assistant) {
		for _, q := range []assistant.Question{{Text: "hello"}, {Text: "???"}, {Text: "how?", Page: "/guides/fuel"},
			{Text: "what?", Contexts: []assistant.Context{{Text: "zebra xylophone"}}}} {
			r, _ := answered(t, a, q)
			if r.Type != conversation.Unanswered || r.Text == "" || r.Err != nil || len(s.Asks()) > 0 {
				t.Errorf("%+v: %+v, %d asks", q, r, len(s.Asks()))
			}
		}
	})
}

func TestCurrentPageAndHistoryAreUsed(t *testing.T) {
	script := llmtest.Script{
		llmtest.Say("unused"),
		llmtest.Say("Kerosene [1].").Expecting("on the page of passage", "kerosene", "rocket --code", "Explain this"),
	}
	each(t, script, func(t *testing.T, s *llmtest.Server, a *assistant.Assistant) {
		r, _ := answered(t, a, assistant.Question{Text: "Explain this", Page: "/guides/fuel",
			Contexts: []assistant.Context{{Code: true, Text: "rocket --code"}},
			Earlier: []assistant.Turn{{Text: "Welcome."}, {Reader: true, Text: "What is fuel?"},
				{Reader: true, Text: "For the thruster."}, {Text: "See [4]."}}})
		if r.Err != nil || r.Type != conversation.Answered {
			t.Fatalf("%+v", r)
		}
		turns := s.Asks()[0].Turns
		if len(turns) != 3 || turns[0].Text != "What is fuel?\n\nFor the thruster." ||
			strings.Contains(turns[1].Text, "[4]") {
			t.Errorf("%+v", turns)
		}
	})
}

func TestFollowUpUsesEarlierQuestion(t *testing.T) {
	r, _ := answered(t, assistant.New(nil, llm.Retry{}),
		assistant.Question{Text: "And how tight?", Earlier: []assistant.Turn{{Reader: true,
			Text: "Which screws hold the thruster, and with which torque?"}, {Text: "Four."}}})
	if r.Type != conversation.Answered || !strings.Contains(r.Text, "nine newton metres") {
		t.Errorf("%+v", r)
	}
}

func TestBusyModelIsRetriedAndBrokenModelIsReported(t *testing.T) {
	each(t, llmtest.Script{llmtest.Say("Four screws [1].").After(llmtest.Overloaded)},
		func(t *testing.T, s *llmtest.Server, a *assistant.Assistant) {
			r, _ := answered(t, a, assistant.Question{Text: "thruster screws"})
			if r.Type != conversation.Answered || s.Tries(0) != 2 {
				t.Errorf("%d tries: %+v", s.Tries(0), r)
			}
		})
	each(t, llmtest.Script{llmtest.Say(strings.Repeat("Four screws hold it. ", 20)).After(llmtest.CutInside,
		llmtest.CutInside, llmtest.CutInside)}, func(t *testing.T, s *llmtest.Server, a *assistant.Assistant) {
		r, _ := answered(t, a, assistant.Question{Text: "thruster screws"})
		if r.Type != conversation.Failed || r.Err == nil || s.Tries(0) != 1 ||
			!strings.HasPrefix(r.Text, "Four screws") || strings.Contains(r.Sentence(), "http") {
			t.Errorf("%d tries: %+v", s.Tries(0), r)
		}
	})
}

func TestAnswerEndsWhenReaderLeaves(t *testing.T) {
	each(t, llmtest.Script{llmtest.Say(strings.Repeat("Four screws hold it. ", 500))},
		func(t *testing.T, _ *llmtest.Server, a *assistant.Assistant) {
			left, n := errors.New("left"), 0
			r := a.Answer(t.Context(), rockets(t), assistant.Question{Text: "thruster screws"}, func(string) error {
				if n++; n > 3 {
					return left
				}
				return nil
			})
			if !errors.Is(r.Err, left) || r.Type != conversation.Answered || len(r.Text) > 200 {
				t.Errorf("%+v", r)
			}
		})
}

func TestPassagesAreQuotedWithoutModel(t *testing.T) {
	a := assistant.New(nil, llm.Retry{})
	r, _ := answered(t, a, assistant.Question{Text: "How do I bolt the thruster?"})
	if r.Type != conversation.Answered || !strings.Contains(r.Text, "**Start › Install the thruster** [1]\n\nBolt the thruster") ||
		!strings.Contains(r.Text, "```bash\nrocket bolt --screws 4\n```") ||
		!strings.Contains(r.Text, "[the shop](https://shop.example.com/screws)") ||
		r.Sources[0].Path != "/guides/start#install-the-thruster" || r.Model != "" {
		t.Errorf("%+v", r)
	}
	if strings.Contains(r.Text, "secretcanary") || strings.Contains(r.Text, "llms.txt") {
		t.Errorf("it quotes %q (C7)", r.Text)
	}
	if r, _ := answered(t, a, assistant.Question{Text: "thrustr"}); r.Type != conversation.Answered {
		t.Errorf("a slip: %+v", r)
	}
	if r, _ := answered(t, a, assistant.Question{Text: "parachute"}); strings.Contains(r.Text, "![") ||
		strings.Contains(r.Text, "](https://evil") {
		t.Errorf("a hostile page: %q", r.Text)
	}
	if r, _ := answered(t, a,
		assistant.Question{Text: "What is the capital of France?"}); r.Type != conversation.Refused ||
		len(r.Sources) > 0 {
		t.Errorf("off topic: %+v", r)
	}
}

func TestStarterQuestionsAreOffered(t *testing.T) {
	got := assistant.Questions(t.Context(), rockets(t))
	if len(got) != assistant.Starters || !strings.Contains(strings.Join(got, " "), "“Start”") ||
		strings.Contains(strings.Join(got, " "), "“Quiet”") {
		t.Errorf("%q", got)
	}
}
