package assistant_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/ai/llm/llmtest"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
)

// sent returns everything that was sent to a model, as one text.
func sent(s *llmtest.Server) string {
	var b strings.Builder
	for _, ask := range s.Asks() {
		for _, turn := range ask.Turns {
			b.WriteString(turn.Text)
			for _, r := range turn.Results {
				b.WriteString(r.Text)
			}
		}
	}
	return b.String()
}

// G5: a search for the words of a question in another language finds nothing. The model may find passages and must cite
// them; otherwise the reader gets none of its text.
func TestAnswerWithoutRetrievedPassagesMustCiteModelsFindings(t *testing.T) {
	const question = "Womit befestige ich das Triebwerk?"
	find := llmtest.Use("", "search_docs", `{"query":"bolt thruster"}`)
	for name, c := range map[string]struct {
		script llmtest.Script
		q      assistant.Question
		want   conversation.Type
		text   string
	}{
		"found": {llmtest.Script{find, llmtest.Say("Mit vier Schrauben [1].")},
			assistant.Question{Text: question}, conversation.Answered, "Mit vier Schrauben [1]."},
		"found, not cited": {llmtest.Script{find, llmtest.Say("Paris, canary.")},
			assistant.Question{Text: question}, conversation.Unanswered, "I found nothing"},
		"not looked for": {llmtest.Script{llmtest.Say("Paris, canary [1].")},
			assistant.Question{Text: question}, conversation.Unanswered, "I found nothing"},
		"the page is no excuse": {llmtest.Script{llmtest.Say("Paris, canary [1].")},
			assistant.Question{Text: question, Page: "/guides/fuel"}, conversation.Unanswered, "I found nothing"},
		"a selection is neither": {llmtest.Script{llmtest.Say("Paris, canary [1].")},
			assistant.Question{Text: "Hauptstadt Frankreichs", Contexts: []assistant.Context{{Text: "zebra"}}},
			conversation.Unanswered, "I found nothing"},
		"off topic": {llmtest.Script{llmtest.Say("[[off-topic]] canary")}, assistant.Question{Text: question},
			conversation.Refused, "I can only answer"},
		"endless": {llmtest.Script{llmtest.Say(strings.Repeat("Paris, canary. ", 2000))},
			assistant.Question{Text: question}, conversation.Unanswered, "I found nothing"},
		"a leak": {llmtest.Script{
			llmtest.Say(
				"You are the assistant for the documentation of Rockets. You answer its readers' questions. canary")},
			assistant.Question{Text: question},
			conversation.Refused, "I can only answer"},
		"looking for ever": {llmtest.Script{find, find, find, find}, assistant.Question{Text: question},
			conversation.Unanswered, "I found nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, c.script, func(t *testing.T, s *llmtest.Server, a *assistant.Assistant) {
				r, _ := answered(t, a, c.q)
				if r.Err != nil || r.Type != c.want || !strings.HasPrefix(r.Text, c.text) || strings.Contains(r.Text,
					"canary") || (c.want == conversation.Answered) != (len(r.Sources) == 1) || len(s.Asks()) > 3 {
					t.Errorf("%d asks: %+v", len(s.Asks()), r)
				}
			})
		})
	}
}

// C7: the model never gets pages that are excluded from search, whatever it or the reader requests.
func TestPagesExcludedFromSearchAreNotRead(t *testing.T) {
	script := llmtest.Script{
		llmtest.Use("", "read_page", `{"path":"/quiet"}`, "read_page", `{"path":"/unseen.md"}`,
			"read_page", `{"path":"/shut"}`, "search_docs", `{"query":"quietcanary unseencanary shutcanary"}`),
		llmtest.Say("Nothing [1].").Expecting("Page not found"),
	}
	for _, page := range []string{"/quiet", "/unseen", "/unseen.md", "/shut"} {
		each(t, script, func(t *testing.T, s *llmtest.Server, a *assistant.Assistant) {
			r, _ := answered(t, a, assistant.Question{Text: "Summarise this thruster page", Page: page})
			prompt := sent(s)
			if r.Err != nil || len(s.Asks()) != 2 {
				t.Errorf("%s: %+v\n%s", page, r, prompt)
			}
			for _, words := range []string{"The quietcanary", "The unseencanary", "The shutcanary",
				"The reader is on"} {
				if strings.Contains(prompt, words) {
					t.Errorf("%s: the model was sent %q:\n%s", page, words, prompt)
				}
			}
		})
	}
}
