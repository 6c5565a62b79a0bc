package audiencepage

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// states returns the feedback states that can be selected.
func states() []string {
	return []string{client.FeedbackPending, client.FeedbackInProgress, client.FeedbackResolved,
		client.FeedbackDismissed}
}

// feedbackRow is one piece of feedback.
type feedbackRow struct {
	client.Feedback
	Opinion string // helpful, not helpful, or ""
	About   string // code, or ""
}

type feedbackPage struct {
	page
	Status    string // state filter; "" = all
	States    []string
	Feedback  []feedbackRow
	ByPage    []client.PageFeedback
	Next      string
	Back      string // query of the page to return to after a form
	FormError *shell.PageError
	Example   string
}

func feedback(b *shell.Board, v *shell.Visit) error { return showFeedback(v, nil) }

// showFeedback shows the feedback; pageErr is the error of a form, or nil.
func showFeedback(v *shell.Visit, pageErr *shell.PageError) error {
	p, done, err := open(v, "Feedback")
	if err != nil || done {
		return err
	}
	data := feedbackPage{page: p, States: states(), FormError: pageErr,
		Example: shell.Body(client.UpdateFeedback{Status: client.FeedbackResolved})}
	data.List = "feedback"
	if s := v.Query("status"); slices.Contains(data.States, s) {
		data.Status, data.Hidden = s, s
	}
	data.Back = p.Span.Query()
	if data.Status != "" {
		data.Back += "&status=" + data.Status
	}
	list, err := v.API.ListFeedback(v.Ctx(), p.Project.ProjectID, client.ListFeedbackParams{
		DateFrom: p.Span.dateFrom(), DateTo: p.Span.dateTo(), Status: data.Status, Limit: perPage,
		Cursor: v.Query("cursor")})
	if err != nil {
		return err
	}
	for _, f := range list.Feedback {
		data.Feedback = append(data.Feedback, rowOf(f))
	}
	if next := shell.Text(list.NextCursor); next != "" && list.HasMore {
		data.Next = data.Back + "&cursor=" + url.QueryEscape(next)
	}
	pages, err := v.API.ListFeedbackByPage(v.Ctx(), p.Project.ProjectID, client.ListFeedbackByPageParams{
		DateFrom: p.Span.dateFrom(), DateTo: p.Span.dateTo(), Status: data.Status, Limit: 10})
	if err != nil {
		return err
	}
	data.ByPage = pages.Feedback
	if pageErr != nil {
		p.SpanError = pageErr // sets the status of the response
	}
	return show(v, "analyticsfeedback", "Feedback", p, data)
}

func rowOf(f client.Feedback) feedbackRow {
	row := feedbackRow{Feedback: f}
	if f.Helpful != nil {
		row.Opinion = "not helpful"
		if *f.Helpful {
			row.Opinion = "helpful"
		}
	}
	if shell.Text(f.Code) != "" {
		row.About = "code"
	}
	return row
}

// changeFeedback changes a feedback entry's state.
func changeFeedback(b *shell.Board, v *shell.Visit) error {
	projectID := v.R.PathValue("projectId")
	in := client.UpdateFeedback{Status: v.Field("status")}
	if v.Form.Has("note") {
		note := v.Field("note")
		in.Note = &note
	}
	if _, err := v.API.UpdateFeedback(v.Ctx(), projectID, v.R.PathValue("feedbackId"), in); err != nil {
		if pageErr := shell.FormError(err); pageErr != nil && pageErr.Status != http.StatusNotFound {
			return showFeedback(v, pageErr)
		}
		return err
	}
	return v.Done(shell.ProjectPath(projectID, "/analytics/feedback")+backTo(v.Field("back")), "feedback-changed")
}

// backTo keeps only those parameters of a query that the page itself generates.
func backTo(query string) string {
	if len(query) == 0 || query[0] != '?' {
		return ""
	}
	asked, err := url.ParseQuery(query[1:])
	if err != nil {
		return ""
	}
	kept := url.Values{}
	for _, name := range []string{"days", "from", "to", "status"} {
		if asked.Has(name) {
			kept.Set(name, asked.Get(name))
		}
	}
	return "?" + kept.Encode()
}

// backToFeedback redirects to the list. Users open this address when they reload the page after submitting a form.
func backToFeedback(b *shell.Board, v *shell.Visit) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	return v.Done(shell.ProjectPath(p.ProjectID, "/analytics/feedback"), "")
}
