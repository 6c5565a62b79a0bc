package audiencepage

import (
	"cmp"
	"net/url"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/barchart"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

type questionsPage struct {
	page
	Figures   []figure
	Questions *client.QuestionList
	Next      string
}

// Thread returns the URL of a question's conversation.
func (p questionsPage) Thread(q client.Question) string {
	return p.At("/assistant/" + url.PathEscape(q.ThreadID))
}

// answerWords maps outcomes to readable words.
var answerWords = map[string]string{"unanswered": "not found", "failed": "error"}

// Answer returns an outcome in readable words.
func (page) Answer(outcome string) string { return cmp.Or(answerWords[outcome], outcome) }

// Rating returns the reader's rating of an answer, or "" if there is none.
func (page) Rating(helpful *bool) string {
	switch {
	case helpful == nil:
		return ""
	case *helpful:
		return "helpful"
	}
	return "not helpful"
}

// questions shows the questions to the assistant.
func questions(b *shell.Board, v *shell.Visit) error {
	p, done, err := openAssistant(v)
	if err != nil || done {
		return err
	}
	data := questionsPage{page: p}
	stats, err := v.API.CountQuestions(v.Ctx(), p.Project.ProjectID,
		client.CountQuestionsParams{DateFrom: p.Span.dateFrom(), DateTo: p.Span.dateTo()})
	if err != nil {
		return err
	}
	data.Figures = []figure{
		{Name: "Questions", Value: barchart.Number(stats.Total), More: "in this period"},
		{Name: "From pages", Value: barchart.Number(stats.Web), More: "the site and the widget"},
		{Name: "From programs", Value: barchart.Number(stats.API), More: "with an API key"},
		{Name: "Other", Value: barchart.Number(stats.Other), More: "from other sources"},
	}
	data.Questions, err = v.API.ListQuestions(v.Ctx(), p.Project.ProjectID, client.ListQuestionsParams{
		DateFrom: p.Span.dateFrom(), DateTo: p.Span.dateTo(), Limit: perPage, Cursor: v.Query("cursor")})
	if err != nil {
		return err
	}
	if next := shell.Text(data.Questions.NextCursor); next != "" {
		data.Next = p.At("/assistant") + "&cursor=" + url.QueryEscape(next)
	}
	return show(v, "analyticsassistant", "Questions to the assistant", p, data)
}

// thread shows one conversation.
func thread(b *shell.Board, v *shell.Visit) error {
	p, done, err := openAssistant(v)
	if err != nil || done {
		return err
	}
	t, err := v.API.GetThread(v.Ctx(), p.Project.ProjectID, v.R.PathValue("threadId"))
	if err != nil {
		return err
	}
	return show(v, "analyticsthread", "A conversation", p, threadPage{p, t})
}

type threadPage struct {
	page
	*client.Thread
}

// Liked reports whether the reader rated an answer as helpful.
func (threadPage) Liked(m client.ThreadMessage) bool { return m.Helpful != nil && *m.Helpful }

// openAssistant is like open, for pages that need an assistant.
func openAssistant(v *shell.Visit) (p page, done bool, err error) {
	if p, done, err = open(v, "Assistant"); err != nil || done || p.asks {
		return p, done, err
	}
	d, err := v.API.GetDeployment(v.Ctx())
	if err != nil {
		return p, false, err
	}
	return p, true, showOff(v, p.Tabs, "The assistant", d.Type, d.Features.Assistant)
}
