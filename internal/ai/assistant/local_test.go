package assistant_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// probe returns a site with one example of each part that can be quoted.
func probe(t *testing.T) *sitereader.Library {
	t.Helper()
	built := &sitehost.Built{}
	if _, err := build.Build(t.Context(), fstest.MapFS{
		"docs.json": {Data: []byte(`{"name":"Probe","theme":"mint","colors":{"primary":"#112233"},"search":{"synonyms":[["uplink","transmitter"]]},"navigation":{"pages":["index","settings"]}}`)},
		"index.mdx": {Data: []byte("---\ntitle: Probe\ndescription: Calibrate the probe, choose its orbit and change the antenna.\n---\nThe probe flies.\n\n" +
			"## Calibrate the sensor\n\nThe sensor drifts. Point it at a star and run:\n\n```bash\nprobe calibrate --star vega\n```\n\n" +
			"## Orbits\n\n- A polar orbit passes both poles.\n- A geostationary orbit stays above one place.\n\n" +
			strings.Repeat("Orbits take patience, and patience takes time on every mission.\n\n", 20) +
			"The antenna folds before a launch, see [Values](/settings#values).\n")},
		"settings.mdx": {Data: []byte("---\ntitle: Settings\n---\n## Values\n\n| Setting | Default | Meaning |\n|---|---|---|\n" +
			"| `radio.power` | 5 W | Output of the transmitter. |\n| `radio.timeout` | 30 s | How long the receiver waits. |\n" +
			strings.Repeat("| `unused.x` | 1 | Nothing worth reading, but long enough to fill the table with text that has no use. |\n", 15))},
	}, build.Options{BaseURL: "https://probe.example.com", Links: link.Clean, Offers: capability.Offers{Search: true}},
		built); err != nil {
		t.Fatal(err)
	}
	built.Manifest.Name = "Probe"
	return built.Library()
}

func localAnswer(t *testing.T, l *sitereader.Library, q assistant.Question) assistant.Result {
	t.Helper()
	return assistant.New(nil, llm.Retry{}).Answer(t.Context(), l, q, func(string) error { return nil })
}

func TestAnswerQuotesTheMatchingPart(t *testing.T) {
	l := probe(t)
	for question, c := range map[string]struct {
		has, hasNot []string
		source      string
	}{
		"How do I calibrate the sensor?": {[]string{"```bash\nprobe calibrate --star vega\n```", "Point it at a star"},
			[]string{"choose its orbit"}, "/#calibrate-the-sensor"},
		"How long does the receiver wait by radio.timeout?": {
			[]string{"| Setting | Default | Meaning |", "| `radio.timeout` | 30 s |"}, []string{"unused.x", "radio.power"}, "/settings#values"},
		"uplink output":               {[]string{"| `radio.power` | 5 W | Output of the transmitter. |"}, []string{"unused.x"}, "/settings#values"}, // the authors' synonym
		"When does the antenna fold?": {[]string{"The antenna folds before a launch, see [Values](/settings#values)."}, []string{"change the antenna"}, "/#orbits"},
		"calibrte senser":             {[]string{"probe calibrate --star vega"}, nil, "/#calibrate-the-sensor"},
	} {
		r := localAnswer(t, l, assistant.Question{Text: question})
		if r.Type != conversation.Answered || len(r.Sources) == 0 || r.Sources[0].Path != c.source {
			t.Errorf("%s: %+v", question, r)
		}
		for _, text := range c.has {
			if !strings.Contains(r.Text, text) {
				t.Errorf("%s: lacks %q:\n%s", question, text, r.Text)
			}
		}
		for _, text := range c.hasNot {
			if strings.Contains(r.Text, text) {
				t.Errorf("%s: has %q:\n%s", question, text, r.Text)
			}
		}
	}
}

func TestUnansweredQuestionOffersNearestPages(t *testing.T) {
	r := localAnswer(t, probe(t), assistant.Question{Text: "Which sensor colours does the museum shop sell?"})
	if r.Type != conversation.Unanswered && r.Type != conversation.Refused || strings.Contains(r.Text, "drifts") {
		t.Errorf("%+v", r)
	}
	near := localAnswer(t, probe(t), assistant.Question{Text: "calibrate sensor refund guarantee"})
	if near.Type != conversation.Unanswered || !strings.Contains(near.Text, "](/#calibrate-the-sensor)") {
		t.Errorf("%+v", near)
	}
	if none := localAnswer(t, probe(t), assistant.Question{Text: "Tell me a joke"}); none.Type != conversation.Refused {
		t.Errorf("%+v", none)
	}
}

// threads stores conversations as the store does.
type threads map[string][]conversation.Exchange

func (k threads) AddExchange(_ context.Context, e conversation.Exchange) error {
	k[e.ThreadID] = append(k[e.ThreadID], e)
	return nil
}

func (threads) RateExchange(context.Context, string, string, string, bool, string) error { return nil }

func (k threads) HasThread(_ context.Context, _, thread string) (bool, error) {
	return k[thread] != nil, nil
}

func (k threads) FindThread(_ context.Context, _, thread string) ([]conversation.Exchange, error) {
	if k[thread] == nil {
		return nil, fault.New(fault.NotFound, "unknown_thread", "Conversation not found.")
	}
	return k[thread], nil
}

// A client may send only the last message and the id of its conversation.
func TestThreadGivesFollowUpItsContext(t *testing.T) {
	c := &assistant.Conversations{Assistant: assistant.New(nil, llm.Retry{}), Keeper: threads{},
		IDs: id.Source{Rand: strings.NewReader(strings.Repeat("0123456789abcdef", 100))}, Now: time.Now,
		Logger: slog.New(slog.DiscardHandler)}
	v := assistant.Visit{ProjectID: "prj_1", Library: probe(t), Caller: conversation.Web}
	ask := func(text string) (assistant.Talk, assistant.Result) {
		t.Helper()
		talk, err := c.Open(t.Context(), v)
		if err != nil {
			t.Fatal(err)
		}
		return talk, c.Answer(t.Context(), talk, assistant.Question{Text: text}, func(string) error { return nil })
	}
	first, _ := ask("What is a polar orbit?")
	_, alone := ask("and a geostationary one?")
	v.Thread = assistant.Thread{ID: first.ThreadID}
	second, r := ask("and a geostationary one?")
	if second.ThreadID != first.ThreadID || r.Type != conversation.Answered || !strings.Contains(r.Text, "above one place") {
		t.Errorf("%+v (alone %s)", r, alone.Type)
	}
}
