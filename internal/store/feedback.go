package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// maxFeedback limits the number of feedback entries per project and day.
const maxFeedback = 2_000

const feedbackColumns = `id, project_id, path, source, helpful, comment, contact, code, filename, lang, status, ` +
	`note, mark, created_at, updated_at`

var errUnknownFeedback = fault.New(fault.NotFound, "feedback_not_found", "Feedback not found in this project.")

// AddFeedback stores a reader's feedback. If the same reader already rated the page today, that entry is updated. made
// reports whether a new entry was created.
func (s *Store) AddFeedback(ctx context.Context, f audience.Feedback) (made bool, err error) {
	err = s.Tx(ctx, func(t *Tx) error {
		now := t.now()
		today := micros(audience.DayOf(now).Time())
		if f.Mark != 0 && f.Source != audience.ByCode {
			n,
				err := t.q.exec(ctx,
				`UPDATE feedback SET source = $4, helpful = CASE WHEN $5 >= 0 THEN $5 ELSE helpful END, `+
					`comment = $6, contact = $7, updated_at = $8
				WHERE project_id = $1 AND created_at >= $2 AND mark = $3 AND path = $9 AND source = 'thumbs_only' AND status = 'pending'`,
				f.ProjectID, today, int64(f.Mark), string(f.Source), helpfulColumn(f.Helpful), f.Comment, f.Contact,
				micros(now), f.Path)
			if made = false; err != nil || n > 0 {
				return wrap("complete feedback", err)
			}
		}
		n, err := single(ctx, t.q, value[int64],
			`SELECT COUNT(*) FROM feedback WHERE project_id = $1 AND created_at >= $2`, f.ProjectID, today)
		if err != nil {
			return wrap("count feedback", err)
		}
		if n >= maxFeedback {
			return fault.New(fault.RateLimited, "too_much_feedback",
				"This site has reached its daily feedback limit.")
		}
		if _, err := t.FindProjectByID(ctx, f.ProjectID); err != nil {
			return err
		}
		f.ID, f.Status, f.CreatedAt, f.UpdatedAt = t.s.ids.New(id.Feedback), audience.Pending, now, now
		made = true
		_, err = t.q.exec(ctx, `INSERT INTO feedback (`+feedbackColumns+
			`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)`,
			f.ID, f.ProjectID, f.Path, string(f.Source), helpfulColumn(f.Helpful), f.Comment, f.Contact, f.Code,
			f.Filename, f.Lang, string(f.Status), f.Note, int64(f.Mark), micros(now))
		return wrap("add feedback", err)
	})
	return made, err
}

// SetFeedback sets the status of feedback. If note is nil, the current note is kept.
func (t *Tx) SetFeedback(ctx context.Context, projectID, feedbackID string, status audience.FeedbackStatus,
	note *string) (audience.Feedback, error) {
	f, err := single(ctx, t.q, scanFeedback, `SELECT `+feedbackColumns+
		` FROM feedback WHERE project_id = $1 AND id = $2`+t.forUpdate(), projectID, feedbackID)
	if errors.Is(err, errNone) {
		return f, errUnknownFeedback
	}
	if err != nil {
		return f, wrap("find feedback", err)
	}
	f.Status, f.UpdatedAt = status, t.now()
	if note != nil {
		f.Note = *note
	}
	_,
		err = t.q.exec(ctx,
		`UPDATE feedback SET status = $3, note = $4, updated_at = $5 WHERE project_id = $1 AND id = $2`, projectID,
		feedbackID, string(f.Status), f.Note, micros(f.UpdatedAt))
	return f, wrap("update feedback", err)
}

// feedbackWhere returns the filter as SQL. The text has one of a few constant forms, so that statements can be
// prepared. args come after the arguments for the project and the span.
func feedbackWhere(f audience.FeedbackFilter) (text string, args []any) {
	text = ` WHERE project_id = $1 AND created_at >= $2 AND created_at < $3 AND ($4 = '' OR source = $4) AND status IN ($5, $6, $7, $8)`
	states := f.Status
	if len(states) == 0 {
		states = audience.Statuses()
	}
	args = []any{micros(f.Span.From.Time()), micros(f.Span.To.Time()), string(f.Source)}
	for i := range len(audience.Statuses()) {
		args = append(args, string(states[min(i, len(states)-1)]))
	}
	return text, args
}

// ListFeedback returns a page of a project's feedback, newest first.
func (r reads) ListFeedback(ctx context.Context, projectID string, f audience.FeedbackFilter,
	p Page) ([]audience.Feedback, string, error) {
	at, after, err := p.place()
	if err != nil {
		return nil, "", err
	}
	where, args := feedbackWhere(f)
	list, err := collect(ctx, r.q, scanFeedback, `SELECT `+feedbackColumns+` FROM feedback`+where+
		` AND (created_at < $9 OR created_at = $9 AND id < $10) ORDER BY created_at DESC, id DESC LIMIT $11`,
		append(append([]any{projectID}, args...), at, after, p.Limit+1)...)
	if err != nil {
		return nil, "", wrap("list feedback", err)
	}
	list, next := cut(list, p.Limit, func(f audience.Feedback) (int64, string) { return micros(f.CreatedAt), f.ID })
	return list, next, nil
}

// ListFeedbackByPage returns a project's pages with their number of feedback entries, the pages with most entries
// first.
func (r reads) ListFeedbackByPage(ctx context.Context, projectID string, f audience.FeedbackFilter,
	limit int) ([]audience.PageFeedback, error) {
	where, args := feedbackWhere(f)
	list, err := collect(ctx, r.q, func(s scanner) (p audience.PageFeedback, err error) {
		err = s.Scan(&p.Path, &p.Up, &p.Down, &p.Code, &p.Total)
		return p, err
	}, `SELECT path, `+strings.Join([]string{countIf("helpful = 1"), countIf("helpful = 0"),
		countIf("source = 'code_snippet'")}, ", ")+`, COUNT(*) FROM feedback`+where+
		` GROUP BY path ORDER BY 5 DESC, path LIMIT $9`, append(append([]any{projectID}, args...), limit)...)
	return list, wrap("list feedback by page", err)
}

func countIf(condition string) string {
	return fmt.Sprintf("COUNT(CASE WHEN %s THEN 1 END)", condition)
}

func helpfulColumn(h *bool) int64 {
	switch {
	case h == nil:
		return -1
	case *h:
		return 1
	}
	return 0
}

func scanFeedback(s scanner) (f audience.Feedback, err error) {
	var helpful, created, updated int64
	err = s.Scan(&f.ID, &f.ProjectID, &f.Path, &f.Source, &helpful, &f.Comment, &f.Contact, &f.Code, &f.Filename,
		&f.Lang, &f.Status, &f.Note, &f.Mark, &created, &updated)
	if helpful >= 0 {
		yes := helpful == 1
		f.Helpful = &yes
	}
	f.CreatedAt, f.UpdatedAt = fromMicros(created), fromMicros(updated)
	return f, err
}
