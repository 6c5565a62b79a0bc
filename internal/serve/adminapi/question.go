package adminapi

import (
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

// finalAnswer is the only type of response given by the assistant.
const finalAnswer = "answer"

func showQuestion(e conversation.Exchange, origin string) client.Question {
	out := client.Question{ID: e.ID, ThreadID: e.ThreadID, Timestamp: stamp(e.At), Query: e.Question,
		Response:     e.Answer,
		ResponseType: finalAnswer, Outcome: string(e.Type), Sources: []client.QuestionSource{},
		ResolutionStatus: "unanswered",
		Resolution:       string(e.Resolution()), Caller: string(e.Caller), Helpful: e.Helpful,
		Comment: orNull(e.Comment), Model: orNull(e.Model)}
	if e.Type.Answers() {
		out.ResolutionStatus = "answered"
	}
	if e.Page != "" {
		out.PageURL = orNull(origin + e.Page)
	}
	for _, s := range e.Sources {
		out.Sources = append(out.Sources, client.QuestionSource{Title: s.Title, URL: origin + s.Path})
	}
	return out
}

const (
	defaultQuestions = 100
	maxQuestions     = 1000
)

func (a *api) listQuestions(c *call) (response, error) {
	p, in, err := a.questionsOf(c)
	if err != nil {
		return response{}, err
	}
	q, err := c.query()
	if err != nil {
		return response{}, err
	}
	page := store.Page{Cursor: q.Get("cursor")}
	if page.Limit, err = number(q, "limit", defaultQuestions, 1, maxQuestions); err != nil {
		return response{}, err
	}
	if len(page.Cursor) > maxCursor {
		return response{}, fault.New(fault.Invalid, "invalid_field", "cursor is not a value returned by a list.").
			WithField("cursor")
	}
	list, next, err := a.Store.ListExchanges(c.ctx(), p.ID, in, page)
	if err != nil {
		return response{}, err
	}
	body := client.QuestionList{Conversations: []client.Question{}, NextCursor: orNull(next), HasMore: next != ""}
	for _, e := range list {
		body.Conversations = append(body.Conversations, showQuestion(e, a.SiteURL(p.Domains[0])))
	}
	return response{status: http.StatusOK, body: body}, nil
}

func (a *api) getThread(c *call) (response, error) {
	p, _, err := a.questionsOf(c)
	if err != nil {
		return response{}, err
	}
	list, err := a.Store.FindThread(c.ctx(), p.ID, c.pathID("threadId", id.Thread))
	if err != nil {
		return response{}, err
	}
	body := client.Thread{ThreadID: list[0].ThreadID, CreatedAt: stamp(list[0].At)}
	for _, e := range list {
		shown := showQuestion(e, a.SiteURL(p.Domains[0]))
		body.Messages = append(body.Messages,
			client.ThreadMessage{ID: e.ID + "_q", Role: "user", Content: e.Question, CreatedAt: shown.Timestamp,
				Timestamp: shown.Timestamp,
				Sources:   []client.QuestionSource{}},
			client.ThreadMessage{ID: e.ID, Role: "assistant", Content: e.Answer, CreatedAt: shown.Timestamp,
				Timestamp:    shown.Timestamp,
				ResponseType: &shown.ResponseType, Outcome: &shown.Outcome, Sources: shown.Sources, Helpful: e.Helpful,
				Comment: shown.Comment})
	}
	return response{status: http.StatusOK, body: body}, nil
}

func (a *api) countQuestions(c *call) (response, error) {
	p, in, err := a.questionsOf(c)
	if err != nil {
		return response{}, err
	}
	n, err := a.Store.CountExchanges(c.ctx(), p.ID, in)
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK,
		body: client.CallerStats{Web: n.Web, API: n.API, Other: n.Other, Total: n.Web + n.API + n.Other}}, nil
}

// questionsOf returns the project and the time span of a request for questions. Stored questions are available even
// if the assistant has been turned off.
func (a *api) questionsOf(c *call) (p project.Project, in store.Span, err error) {
	if err := a.takeAnalytics(c); err != nil {
		return p, in, err
	}
	if p, err = a.Store.FindProject(c.ctx(), c.org(), c.pathID("projectId", id.Project)); err != nil {
		return p, in, err
	}
	q, err := c.query()
	if err != nil {
		return p, in, err
	}
	if in.From, err = dayOf(q.Get("dateFrom"), "dateFrom"); err != nil {
		return p, in, err
	}
	in.To, err = dayOf(q.Get("dateTo"), "dateTo")
	return p, in, err
}

// dayOf parses a date or a timestamp; "" is the zero time.
func dayOf(v, field string) (time.Time, error) {
	if v == "" {
		return time.Time{}, nil
	}
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(form, v); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fault.Newf(fault.Invalid, "invalid_field",
		"%s must be a day such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z.", field).WithField(field)
}
