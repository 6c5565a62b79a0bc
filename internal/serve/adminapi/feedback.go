package adminapi

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/store"
)

func showFeedback(f audience.Feedback) client.Feedback {
	return client.Feedback{ID: f.ID, Path: f.Path, Source: string(f.Source), Status: string(f.Status),
		Helpful: f.Helpful, Comment: orNull(f.Comment), Contact: orNull(f.Contact), Code: orNull(f.Code),
		Filename: orNull(f.Filename), Lang: orNull(f.Lang), Note: orNull(f.Note), CreatedAt: stamp(f.CreatedAt),
		UpdatedAt: stamp(f.UpdatedAt)}
}

// pageOf parses limit and cursor for a list that has its own limits.
func (c *call) pageOf(q url.Values, usual, most int) (p store.Page, err error) {
	p.Cursor = q.Get("cursor")
	if len(p.Cursor) > maxCursor {
		return p, fault.New(fault.Invalid, "invalid_field", "cursor is not a value returned by a list.").
			WithField("cursor")
	}
	p.Limit, err = number(q, "limit", usual, 1, most)
	return p, err
}

// feedbackFilter parses the feedback filters.
func (r report) feedbackFilter() (f audience.FeedbackFilter, err error) {
	f.Span = r.kept()
	if v := r.query.Get("source"); v != "" {
		if f.Source = audience.FeedbackSource(v); !slices.Contains(audience.Sources(), f.Source) {
			return f, fault.New(fault.Invalid, "invalid_field",
				"source must be thumbs_only, contextual, code_snippet or agent.").WithField("source")
		}
	}
	if v := r.query.Get("status"); v != "" {
		for one := range strings.SplitSeq(v, ",") {
			s, err := audience.ParseStatus(strings.TrimSpace(one))
			if err != nil {
				return f, err
			}
			if !slices.Contains(f.Status, s) {
				f.Status = append(f.Status, s)
			}
		}
	}
	return f, nil
}

func (a *api) listFeedback(c *call) (response, error) {
	r, err := a.report(c)
	if err != nil {
		return response{}, err
	}
	f, err := r.feedbackFilter()
	if err != nil {
		return response{}, err
	}
	page, err := c.pageOf(r.query, usualRows, maxLimit)
	if err != nil {
		return response{}, err
	}
	if r.csv {
		page = store.Page{Limit: maxLimit}
	}
	list, next, err := a.Store.ListFeedback(c.ctx(), r.project, f, page)
	if err != nil {
		return response{}, err
	}
	if r.csv {
		return a.sendFeedback(c, r.project, f, list, next)
	}
	rows := []client.Feedback{}
	for _, one := range list {
		rows = append(rows, showFeedback(one))
	}
	return response{status: http.StatusOK,
		body: client.FeedbackList{Feedback: rows, NextCursor: orNull(next), HasMore: next != ""}}, nil
}

// sendFeedback sends all feedback as a CSV file, page by page.
func (a *api) sendFeedback(c *call, projectID string, f audience.FeedbackFilter, list []audience.Feedback,
	next string) (response, error) {
	s, err := c.beginCSV("feedback", []string{"id", "path", "source", "status", "helpful", "comment", "contact", "code",
		"filename", "lang", "note", "createdAt"})
	for n := 0; err == nil && n < maxCSV; n += len(list) {
		for _, one := range list {
			if err == nil {
				err = s.row(feedbackCells(one))
			}
		}
		if err != nil || next == "" {
			break
		}
		if err = a.stillAllowed(c); err == nil {
			list, next, err = a.Store.ListFeedback(c.ctx(), projectID, f, store.Page{Limit: maxLimit, Cursor: next})
		}
	}
	return c.endCSV(s, err)
}

func feedbackCells(f audience.Feedback) []string {
	helpful := ""
	if f.Helpful != nil {
		helpful = strconv.FormatBool(*f.Helpful)
	}
	return []string{f.ID, f.Path, string(f.Source), string(f.Status), helpful, f.Comment, f.Contact, f.Code, f.Filename,
		f.Lang, f.Note, f.CreatedAt.Format(time.RFC3339)}
}

func (a *api) listFeedbackByPage(c *call) (response, error) {
	r, err := a.report(c)
	if err != nil {
		return response{}, err
	}
	f, err := r.feedbackFilter()
	if err != nil {
		return response{}, err
	}
	limit, err := number(r.query, "limit", 10, 1, maxLimit)
	if err != nil {
		return response{}, err
	}
	if r.csv {
		limit = maxCSV
	}
	list, err := a.Store.ListFeedbackByPage(c.ctx(), r.project, f, limit+1)
	if err != nil {
		return response{}, err
	}
	more := len(list) > limit
	rows := []client.PageFeedback{}
	for _, p := range list[:min(limit, len(list))] {
		rows = append(rows, client.PageFeedback{Path: p.Path, ThumbsUp: p.Up, ThumbsDown: p.Down, Code: p.Code,
			Total: p.Total})
	}
	if r.csv {
		return sendRows(c, "feedback-by-page", []string{"path", "thumbsUp", "thumbsDown", "code", "total"}, rows,
			func(p client.PageFeedback) []string {
				return append([]string{p.Path}, numbers(p.ThumbsUp, p.ThumbsDown, p.Code, p.Total)...)
			})
	}
	return response{status: http.StatusOK, body: client.PageFeedbackList{Feedback: rows, HasMore: more}}, nil
}

func (a *api) updateFeedback(c *call) (response, error) {
	var in struct {
		Status string  `json:"status" required:"true"`
		Note   *string `json:"note"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	status, err := audience.ParseStatus(in.Status)
	if err != nil {
		return response{}, err
	}
	if in.Note != nil {
		if len(*in.Note) > audience.MaxNote {
			return response{}, fault.Newf(fault.Invalid, "invalid_field", "note may have at most %d bytes.",
				audience.MaxNote).WithField("note")
		}
		clean := audience.Text(*in.Note, audience.MaxNote)
		in.Note = &clean
	}
	r, err := a.report(c)
	if err != nil {
		return response{}, err
	}
	var f audience.Feedback
	err = a.Store.Tx(c.ctx(), func(t *store.Tx) (err error) {
		if f, err = t.SetFeedback(c.ctx(), r.project, c.pathID("feedbackId", id.Feedback), status,
			in.Note); err != nil {
			return err
		}
		return t.Record(c.ctx(),
			a.event(c, "feedback.update", f.ID, map[string]string{"project": r.project, "status": string(status)}))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: showFeedback(f)}, nil
}
