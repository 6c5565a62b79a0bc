package adminapi

import (
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/internal/conversation"
	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/id"
	"github.com/lectern-docs/lectern/internal/project"
	"github.com/lectern-docs/lectern/internal/store"
)

// questionJSON is a question to the assistant and its answer.
type questionJSON struct {
	ID               string                  `json:"id"`
	ThreadID         string                  `json:"threadId"`
	Timestamp        time.Time               `json:"timestamp"`
	Query            string                  `json:"query"`
	Response         string                  `json:"response"`
	ResponseType     conversation.Type       `json:"responseType"`
	Sources          []questionSourceJSON    `json:"sources"`
	ResolutionStatus conversation.Resolution `json:"resolutionStatus"`
	QueryCategory    *string                 `json:"queryCategory"` // always null: questions are not sorted by subject
	PageURL          *string                 `json:"pageUrl"`
	Caller           conversation.Caller     `json:"caller"`
	Helpful          *bool                   `json:"helpful"`
	Comment          *string                 `json:"comment"`
	Model            *string                 `json:"model"`
}

type questionSourceJSON struct {
	Title string `json:"title"`
	URL   string `json:"url"`
}

func showQuestion(e conversation.Exchange, origin string) questionJSON {
	out := questionJSON{ID: e.ID, ThreadID: e.ThreadID, Timestamp: stamp(e.At), Query: e.Question, Response: e.Answer, ResponseType: e.Type, Sources: []questionSourceJSON{},
		ResolutionStatus: e.Resolution(), Caller: e.Caller, Helpful: e.Helpful, Comment: orNull(e.Comment), Model: orNull(e.Model)}
	if e.Page != "" {
		out.PageURL = orNull(origin + e.Page)
	}
	for _, s := range e.Sources {
		out.Sources = append(out.Sources, questionSourceJSON{s.Title, origin + s.Path})
	}
	return out
}

const (
	defaultQuestions = 100
	maxQuestions     = 1000
)

func (a *api) listQuestions(c *call) (answer, error) {
	p, in, err := a.questionsOf(c)
	if err != nil {
		return answer{}, err
	}
	q, err := c.query()
	if err != nil {
		return answer{}, err
	}
	page := store.Page{Cursor: q.Get("cursor")}
	if page.Limit, err = number(q, "limit", defaultQuestions, 1, maxQuestions); err != nil {
		return answer{}, err
	}
	if len(page.Cursor) > maxCursor {
		return answer{}, fault.New(fault.Invalid, "invalid_field", "cursor is not one that a list has returned.").WithField("cursor")
	}
	list, next, err := a.Store.ListExchanges(c.ctx(), p.ID, in, page)
	if err != nil {
		return answer{}, err
	}
	body := struct {
		Conversations []questionJSON `json:"conversations"`
		NextCursor    *string        `json:"nextCursor"`
		HasMore       bool           `json:"hasMore"`
	}{Conversations: []questionJSON{}, NextCursor: orNull(next), HasMore: next != ""}
	for _, e := range list {
		body.Conversations = append(body.Conversations, showQuestion(e, a.SiteURL(p.Domains[0])))
	}
	return answer{status: http.StatusOK, body: body}, nil
}

// messageJSON is one side of an exchange.
type messageJSON struct {
	ID        string    `json:"id"`
	Role      string    `json:"role"`
	Content   string    `json:"content"`
	Timestamp time.Time `json:"timestamp"`
	// Of answers; null for questions.
	ResponseType *conversation.Type   `json:"responseType"`
	Sources      []questionSourceJSON `json:"sources"`
	Helpful      *bool                `json:"helpful"`
	Comment      *string              `json:"comment"`
}

func (a *api) getThread(c *call) (answer, error) {
	p, _, err := a.questionsOf(c)
	if err != nil {
		return answer{}, err
	}
	list, err := a.Store.FindThread(c.ctx(), p.ID, c.pathID("threadId", id.Thread))
	if err != nil {
		return answer{}, err
	}
	body := struct {
		ThreadID  string        `json:"threadId"`
		CreatedAt time.Time     `json:"createdAt"`
		Messages  []messageJSON `json:"messages"`
	}{ThreadID: list[0].ThreadID, CreatedAt: stamp(list[0].At)}
	for _, e := range list {
		shown := showQuestion(e, a.SiteURL(p.Domains[0]))
		body.Messages = append(body.Messages, messageJSON{ID: e.ID + "_q", Role: "user", Content: e.Question, Timestamp: shown.Timestamp, Sources: []questionSourceJSON{}},
			messageJSON{ID: e.ID, Role: "assistant", Content: e.Answer, Timestamp: shown.Timestamp, ResponseType: &e.Type, Sources: shown.Sources, Helpful: e.Helpful, Comment: shown.Comment})
	}
	return answer{status: http.StatusOK, body: body}, nil
}

func (a *api) countQuestions(c *call) (answer, error) {
	p, in, err := a.questionsOf(c)
	if err != nil {
		return answer{}, err
	}
	n, err := a.Store.CountExchanges(c.ctx(), p.ID, in)
	if err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusOK, body: struct {
		Web   int64 `json:"web"`
		API   int64 `json:"api"`
		Other int64 `json:"other"`
		Total int64 `json:"total"`
	}{n.Web, n.API, n.Other, n.Web + n.API + n.Other}}, nil
}

// questionsOf finds the project whose questions are asked for, and of which time. What is kept is shown also where the assistant was turned off.
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

// dayOf reads a day or a moment; "" is the zero time.
func dayOf(v, field string) (time.Time, error) {
	if v == "" {
		return time.Time{}, nil
	}
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(form, v); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fault.Newf(fault.Invalid, "invalid_field", "%s must be a day such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z.", field).WithField(field)
}
