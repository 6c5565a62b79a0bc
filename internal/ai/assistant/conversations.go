package assistant

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// Keeper stores conversations; the store implements it.
type Keeper interface {
	AddExchange(ctx context.Context, e conversation.Exchange) error
	RateExchange(ctx context.Context, projectID, threadID, messageID string, helpful bool, comment string) error
	HasThread(ctx context.Context, projectID, threadID string) (bool, error)
	FindThread(ctx context.Context, projectID, threadID string) ([]conversation.Exchange, error)
}

// Salts returns the salt of each day, as used to count visits; the store implements it.
type Salts interface {
	FindSalt(ctx context.Context, day audience.Day, fresh []byte) ([]byte, error)
}

// Conversations handles questions from every endpoint: it passes them to the assistant, stores the exchange and records
// the event.
type Conversations struct {
	Assistant *Assistant
	Keeper    Keeper            // nil = conversations are not stored
	Record    audience.Recorder // receives an event for each question; may be nil
	Observe   func(r Result, took time.Duration)
	IDs       id.Source
	Now       func() time.Time
	Logger    *slog.Logger
	Salts     Salts // separates chats by the day's salt; nil = chat names from clients are ignored
}

// Visit is the context of a question.
type Visit struct {
	ProjectID string // "" where there are no projects
	Preview   bool   // a branch preview: nothing is stored or counted
	Silent    bool   // the reader asked not to be counted
	Library   *sitereader.Library
	Caller    conversation.Caller
	Thread    Thread
}

// Talk is a question in progress.
type Talk struct {
	MessageID, ThreadID string
	visit               Visit
	begun               time.Time
}

// Mode returns how answers are made.
func (c *Conversations) Mode() string {
	if c.Assistant.Local() {
		return "local"
	}
	return "model"
}

// Keeps reports whether conversations are stored and can be rated.
func (c *Conversations) Keeps() bool { return c.Keeper != nil }

// Open assigns ids to a question.
func (c *Conversations) Open(ctx context.Context, v Visit) (Talk, error) {
	t := Talk{MessageID: c.IDs.New(id.Message), visit: v, begun: c.Now()}
	var err error
	t.ThreadID, err = c.findThread(ctx, v)
	return t, err
}

// Answer answers a question and stores the exchange, even when the reader disconnects.
func (c *Conversations) Answer(ctx context.Context, t Talk, q Question, emit func(string) error) Result {
	if len(q.Earlier) == 0 {
		q.Earlier = c.earlier(ctx, t)
	}
	r := c.Assistant.Answer(ctx, t.visit.Library, q, emit)
	if c.Observe != nil {
		c.Observe(r, c.Now().Sub(t.begun))
	}
	if r.Err != nil && !r.gone() {
		c.Logger.Warn("failed to answer question", "site", t.visit.Library.Name(), "message", t.MessageID, "error", r.Err)
	}
	if t.visit.Preview {
		return r
	}
	c.keep(context.WithoutCancel(ctx), t, q, r)
	if c.Record != nil && !t.visit.Silent {
		c.Record.Record(audience.Event{ProjectID: t.visit.ProjectID, At: t.begun, Kind: audience.Ask,
			Class: class(t.visit.Caller), Path: pagePath(q.Page), Hits: len(r.Sources)})
	}
	return r
}

// earlier returns the previous turns of a conversation whose client sends only the last message. Errors are
// ignored, because the question can be answered without them.
func (c *Conversations) earlier(ctx context.Context, t Talk) (out []Turn) {
	if c.Keeper == nil || t.visit.Preview || t.visit.ProjectID == "" || !t.visit.Thread.named() {
		return nil
	}
	list, err := c.Keeper.FindThread(ctx, t.visit.ProjectID, t.ThreadID)
	if err != nil {
		if !fault.Is(err, fault.NotFound) {
			c.Logger.Warn("failed to read conversation", "thread", t.ThreadID, "error", err)
		}
		return nil
	}
	for _, e := range list[max(0, len(list)-maxEarlier/2):] {
		out = append(out, Turn{Reader: true, Text: e.Question}, Turn{Text: e.Answer})
	}
	return out
}

// keepLife limits the time for storing an answer.
const keepLife = 10 * time.Second

func (c *Conversations) keep(ctx context.Context, t Talk, q Question, r Result) {
	if c.Keeper == nil || t.visit.ProjectID == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, keepLife)
	defer cancel()
	err := c.Keeper.AddExchange(ctx, conversation.Exchange{ID: t.MessageID, ThreadID: t.ThreadID,
		ProjectID: t.visit.ProjectID, At: t.begun, Caller: t.visit.Caller, Page: pagePath(q.Page),
		Question: q.Text, Answer: r.Text, Type: r.Type, Sources: r.Sources, Model: r.Model,
		Tokens: r.Usage.Input + r.Usage.Output})
	if err != nil {
		c.Logger.Warn("failed to store answer", "message", t.MessageID, "error", err)
	}
}

// Rate stores a reader's rating of an answer. It does nothing if conversations are not stored.
func (c *Conversations) Rate(ctx context.Context, v Visit, threadID, messageID string, helpful bool,
	comment string) error {
	if c.Keeper == nil || v.Preview || v.ProjectID == "" {
		return nil
	}
	if !id.Has(id.Thread, threadID) {
		threadID = id.Thread
	}
	if !id.Has(id.Message, messageID) {
		messageID = id.Message
	}
	return c.Keeper.RateExchange(ctx, v.ProjectID, threadID, messageID, helpful, comment)
}

func class(c conversation.Caller) audience.Class {
	if c == conversation.Web {
		return audience.Human
	}
	return audience.Agent
}

// pagePath converts a path to the form that readers see; "" stays "".
func pagePath(written string) string {
	if written == "" {
		return ""
	}
	path, _, _ := strings.Cut(written, "#")
	path, _, _ = strings.Cut(path, "?")
	return conversation.Cut("/"+strings.Trim(path, "/"), conversation.MaxPage)
}
