package assistant

import (
	"context"
	"errors"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Assistant answers questions about any site. It keeps no state between them and is safe for concurrent use.
type Assistant struct {
	model llm.Model // nil = the assistant quotes passages
	retry llm.Retry
	name  string // of the model
}

// New returns an assistant. model should not retry by itself: streamed text cannot be withdrawn. The assistant
// retries according to retry until the first piece of text arrives.
func New(model llm.Model, retry llm.Retry) *Assistant { return &Assistant{model: model, retry: retry} }

// Called sets the model's name for answers that fail before the model reports its name. Call it before the
// assistant is shared.
func (a *Assistant) Called(name string) *Assistant { a.name = name; return a }

// Local reports whether there is no model.
func (a *Assistant) Local() bool { return a.model == nil }

// Result is the outcome of an answer.
type Result struct {
	Type    conversation.Type
	Text    string // all text that was emitted
	Sources []conversation.Source
	Model   string // "" = no model was called
	Usage   llm.Usage
	Err     error // cause of a failure or of an early end; nil = the answer is complete
}

// Limits of an answer.
const (
	maxTokens = 1_500
	maxBytes  = 16_000
)

// Fixed answers.
const (
	foundNothing = "I found nothing about this in the documentation. Try other words, or ask about a topic that the documentation covers."
	offTopic     = "I can only answer questions about this documentation."
	notAnswered  = "The documentation does not seem to answer this. These pages come closest:\n\n"
	notCovered   = "The documentation does not cover this. I can only quote from it: ask about something that it describes."
)

// Answer answers a question from a site. emit receives the text in pieces, in order. An error from emit or ctx ends the
// answer.
func (a *Assistant) Answer(ctx context.Context, l *sitereader.Library, q Question, emit func(string) error) Result {
	q = q.bound()
	s := newRetrieval(l, q)
	t := &speech{retrieved: s, emit: emit}
	if a.model == nil {
		return t.local(ctx, q)
	}
	words, err := s.retrieve(ctx, q)
	if err != nil {
		return t.failed(err)
	}
	reading := s.reading(ctx, q)
	onPage := reading != nil &&
		(q.aboutPage() || words.share(searchindex.Terms(reading.title+" "+reading.text)) >= weakest)
	switch {
	case len(s.passages) > 0 || onPage:
	case len(telling(q.Text)) == 0:
		return t.endWith(conversation.Unanswered, foundNothing)
	default: // the question may be in another language than the pages, and the model may then find suitable words
		t.held, reading = true, nil
	}
	if reading != nil {
		*reading = s.add(*reading)
	}
	return a.converse(ctx, t, llm.Ask{Instructions: instructions(l.Name(), l.Notes()), Turns: turns(q, s, reading),
		Tools: tools(), MaxTokens: maxTokens})
}

// reading returns the page that the reader is on, or nil if it is unknown or may not be read.
func (s *retrieval) reading(ctx context.Context, q Question) *passage {
	if q.Page == "" {
		return nil
	}
	p, _, err := s.page(ctx, q.Page, 0)
	if err != nil {
		return nil
	}
	return &p
}

// converse calls the model, runs its tool calls, and repeats.
func (a *Assistant) converse(ctx context.Context, t *speech, ask llm.Ask) Result {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	t.clean = &cleaner{emit: t.out, cite: t.retrieved.cite, allow: t.retrieved.allow,
		guard: newLeakGuard(private(t.retrieved.library.Name())), left: maxBytes}
	t.model = a.name
	rounds, sent := maxRounds, 0
	if t.held {
		rounds = heldRounds
	}
	for round := 1; ; round++ {
		ans, err := a.ask(ctx, t, ask, stop)
		size := sizeOf(ask)
		sent += size
		t.count(ans, size)
		if err != nil || t.clean.err != nil {
			return t.broken(err)
		}
		if ans.Stop != llm.Calling || round > rounds {
			return t.ended(ans.Stop)
		}
		room := maxSent - sent - size // the next request includes this one
		turn := llm.Turn{From: llm.User}
		for i, c := range ans.Calls {
			r := llm.Result{CallID: c.ID, Text: noMoreCalls, Failed: true}
			if i < maxCalls && room > 0 {
				r = t.retrieved.call(ctx, c)
			}
			room -= len(r.Text)
			turn.Results = append(turn.Results, r)
		}
		if n := len(turn.Results); n > 0 && (round == rounds || room <= 0) {
			rounds = round
			turn.Results[n-1].Text += "\n\n" + noMoreCalls
		}
		ask.Turns = append(ask.Turns, llm.Turn{From: llm.Assistant, Text: ans.Text, Calls: ans.Calls}, turn)
	}
}

// sizeOf estimates the size of a request, in bytes.
func sizeOf(ask llm.Ask) int {
	n := len(ask.Instructions)
	for _, t := range ask.Turns {
		n += len(t.Text)
		for _, c := range t.Calls {
			n += len(c.Input)
		}
		for _, r := range t.Results {
			n += len(r.Text)
		}
	}
	return n
}

// ask calls the model, and retries until the first piece of text arrives.
func (a *Assistant) ask(ctx context.Context, t *speech, ask llm.Ask, stop context.CancelCauseFunc) (ans llm.Completion,
	err error) {
	t.begin()
	err = a.retry.Do(ctx, func(ctx context.Context) error {
		ans, err = a.model.Answer(ctx, ask, func(piece string) {
			t.receive(piece)
			if t.clean.err != nil {
				stop(t.clean.err)
			}
		})
		if fault.HasCode(err, "model_busy") && !t.heard {
			f, _ := fault.As(err)
			return &llm.Again{Err: err, After: f.RetryAfter}
		}
		return err
	})
	if err == nil && !t.heard {
		t.receive(ans.Text) // text from a server that does not stream
	}
	return ans, err
}

// errGone ends an answer whose reader disconnected.
var errGone = errors.New("the reader disconnected")

// gone reports whether an answer ended because its reader disconnected.
func (r Result) gone() bool { return errors.Is(r.Err, errGone) || errors.Is(r.Err, context.Canceled) }

// Sentence returns the text that a reader sees after a failure.
func (r Result) Sentence() string {
	if f, ok := fault.As(r.Err); ok && f.Kind != fault.Internal && !strings.HasPrefix(f.Code, "model_") {
		return f.Sentence()
	}
	return "The assistant cannot answer at the moment. Try again in a few minutes."
}
