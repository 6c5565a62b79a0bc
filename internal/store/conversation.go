package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

const exchangeColumns = `e.id, e.thread_id, e.project_id, e.at, e.caller, e.page, e.question, e.answer, e.kind, ` +
	`e.sources, e.model, e.tokens, e.helpful, e.comment`

func scanExchange(s scanner) (conversation.Exchange, error) {
	var e conversation.Exchange
	var at int64
	var kind, sources string
	var helpful *int64
	if err := s.Scan(&e.ID, &e.ThreadID, &e.ProjectID, &at, &e.Caller, &e.Page, &e.Question, &e.Answer, &kind,
		&sources, &e.Model, &e.Tokens, &helpful, &e.Comment); err != nil {
		return e, err
	}
	e.At, e.Type = fromMicros(at), conversation.ParseType(kind)
	if helpful != nil {
		yes := *helpful == 1
		e.Helpful = &yes
	}
	var err error
	e.Sources, err = fromJSON[[]conversation.Source](sources)
	return e, err
}

var (
	errUnknownThread  = fault.New(fault.NotFound, "unknown_thread", "Conversation not found.")
	errUnknownMessage = fault.New(fault.NotFound, "unknown_message", "Message not found.")
)

// AddExchange stores a question and its answer. It returns an error if the project has been deleted.
func (s *Store) AddExchange(ctx context.Context, e conversation.Exchange) error {
	e = e.Bound()
	sources := e.Sources
	for i := range sources { // invalid UTF-8 would change when it is encoded as JSON
		sources[i].Path, sources[i].Title = cleanText(sources[i].Path), cleanText(sources[i].Title)
	}
	return s.Tx(ctx, func(t *Tx) error {
		n,
			err := t.q.exec(ctx,
			`INSERT INTO exchanges (id, thread_id, project_id, at, caller, page, question, answer, kind, sources, model, tokens)
			SELECT $1, $2, p.id, $4, $5, $6, $7, $8, $9, $10, $11, $12 FROM projects p WHERE p.id = $3`,
			e.ID, e.ThreadID, e.ProjectID, micros(e.At), string(e.Caller), cleanText(e.Page), cleanText(e.Question),
			cleanText(e.Answer), string(e.Type), asJSON(sources), cleanText(e.Model), e.Tokens)
		if err == nil && n == 0 {
			return errUnknownProject
		}
		return wrap("store exchange", err)
	})
}

// RateExchange stores a reader's rating of an answer. If comment is empty, an earlier comment is kept. The caller must
// know the ids of both the conversation and the message.
func (s *Store) RateExchange(ctx context.Context, projectID, threadID, messageID string, helpful bool,
	comment string) error {
	said := 0
	if helpful {
		said = 1
	}
	return s.Tx(ctx, func(t *Tx) error {
		n,
			err := t.q.exec(ctx,
			`UPDATE exchanges SET helpful = $4, comment = CASE WHEN $5 = '' THEN comment ELSE $5 END `+
				`WHERE id = $3 AND thread_id = $2 AND project_id = $1`,
			projectID, threadID, messageID, said, cleanText(conversation.Cut(comment, conversation.MaxComment)))
		if err == nil && n == 0 {
			return errUnknownMessage
		}
		return wrap("rate exchange", err)
	})
}

// HasThread reports whether a project has a conversation with the given id.
func (r reads) HasThread(ctx context.Context, projectID, threadID string) (bool, error) {
	_, err := single(ctx, r.q, value[string],
		`SELECT id FROM exchanges WHERE thread_id = $2 AND project_id = $1 LIMIT 1`, projectID, threadID)
	if errors.Is(err, errNone) {
		return false, nil
	}
	return err == nil, wrap("find thread", err)
}

// FindThread returns up to 500 exchanges of a conversation, oldest first.
func (r reads) FindThread(ctx context.Context, projectID, threadID string) ([]conversation.Exchange, error) {
	list, err := collect(ctx, r.q, scanExchange,
		`SELECT `+exchangeColumns+
			` FROM exchanges e WHERE e.thread_id = $2 AND e.project_id = $1 ORDER BY e.at, e.id LIMIT 500`, projectID,
		threadID)
	if err == nil && len(list) == 0 {
		return nil, errUnknownThread
	}
	return list, wrap("find thread", err)
}

// Span is the time from From (inclusive) to To (exclusive). If one of them is zero, the span has no limit on that side.
type Span struct{ From, To time.Time }

// bounds returns the span in microseconds.
func (s Span) bounds() (from, to int64) {
	from, to = 0, 1<<62-1
	if !s.From.IsZero() {
		from = micros(s.From)
	}
	if !s.To.IsZero() {
		to = micros(s.To)
	}
	return from, to
}

// ListExchanges returns a page of a project's questions, newest first, and the cursor of the next page, or "" if there
// is none.
func (r reads) ListExchanges(ctx context.Context, projectID string, in Span, pg Page) ([]conversation.Exchange, string,
	error) {
	at, after, err := pg.place()
	if err != nil {
		return nil, "", err
	}
	from, to := in.bounds()
	list, err := collect(ctx, r.q, scanExchange,
		`SELECT `+
			exchangeColumns+` FROM exchanges e WHERE e.project_id = $1 AND e.at >= $2 AND e.at < $3 AND (e.at, e.id) < ($4, $5)
		ORDER BY e.at DESC, e.id DESC LIMIT $6`, projectID, from, to, at, after, pg.Limit+1)
	if err != nil {
		return nil, "", wrap("list exchanges", err)
	}
	list, next := cut(list, pg.Limit, func(e conversation.Exchange) (int64, string) { return micros(e.At), e.ID })
	return list, next, nil
}

// CountExchanges counts a project's questions by origin.
func (r reads) CountExchanges(ctx context.Context, projectID string, in Span) (conversation.Stats, error) {
	from, to := in.bounds()
	type count struct {
		caller conversation.Caller
		n      int64
	}
	list, err := collect(ctx, r.q, func(s scanner) (count, error) {
		var c count
		err := s.Scan(&c.caller, &c.n)
		return c, err
	}, `SELECT caller, count(*) FROM exchanges WHERE project_id = $1 AND at >= $2 AND at < $3 GROUP BY caller`,
		projectID, from, to)
	var out conversation.Stats
	for _, c := range list {
		switch c.caller {
		case conversation.Web:
			out.Web = c.n
		case conversation.API:
			out.API = c.n
		default:
			out.Other += c.n
		}
	}
	return out, wrap("count exchanges", err)
}

// DropExchanges deletes up to most exchanges older than keep, oldest first. If keep is 0, it deletes exchanges of any
// age. It returns the number of deleted exchanges; if that is less than most, none are left.
func (s *Store) DropExchanges(ctx context.Context, keep time.Duration, most int) (dropped int64, err error) {
	err = s.Tx(ctx, func(t *Tx) error {
		dropped, err = t.q.exec(ctx,
			`DELETE FROM exchanges WHERE id IN (SELECT id FROM exchanges WHERE at <= $1 ORDER BY at LIMIT $2)`,
			micros(t.now().Add(-keep)), most)
		return wrap("drop exchanges", err)
	})
	return dropped, err
}
