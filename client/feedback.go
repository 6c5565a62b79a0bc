package client

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Sources of feedback.
const (
	FeedbackThumbs  = "thumbs_only"  // a thumb and nothing else
	FeedbackComment = "contextual"   // a comment about a page
	FeedbackCode    = "code_snippet" // about a code block
	FeedbackAgent   = "agent"        // from a program
)

// States of feedback.
const (
	FeedbackPending    = "pending"
	FeedbackInProgress = "in_progress"
	FeedbackResolved   = "resolved"
	FeedbackDismissed  = "dismissed"
)

// Feedback is what a reader said about a page.
type Feedback struct {
	ID        string    `json:"id"`
	Path      string    `json:"path"`
	Source    string    `json:"source"`
	Status    string    `json:"status"`
	Helpful   *bool     `json:"helpful"` // nil = the reader did not say
	Comment   *string   `json:"comment"`
	Contact   *string   `json:"contact"`
	Code      *string   `json:"code"` // the code block it is about
	Filename  *string   `json:"filename"`
	Lang      *string   `json:"lang"`
	Note      *string   `json:"note"` // of those who look after the docs
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// FeedbackList is a page of feedback, newest first.
type FeedbackList struct {
	Feedback   []Feedback `json:"feedback"`
	NextCursor *string    `json:"nextCursor"`
	HasMore    bool       `json:"hasMore"`
}

// PageFeedback is what readers said about one page, in figures.
type PageFeedback struct {
	Path       string `json:"path"`
	ThumbsUp   int64  `json:"thumbsUp"`
	ThumbsDown int64  `json:"thumbsDown"`
	Code       int64  `json:"code"`
	Total      int64  `json:"total"`
}

// PageFeedbackList lists pages by how much was said about them.
type PageFeedbackList struct {
	Feedback []PageFeedback `json:"feedback"`
	HasMore  bool           `json:"hasMore"`
}

// FeedbackFilter says which feedback is wanted; empty fields ask for nothing.
type FeedbackFilter struct {
	Days
	Source string
	Status []string // any of these
}

func (f FeedbackFilter) query(q url.Values) url.Values {
	if f.Source != "" {
		q.Set("source", f.Source)
	}
	if len(f.Status) > 0 {
		q.Set("status", strings.Join(f.Status, ","))
	}
	return f.Days.query(q)
}

// UpdateFeedback is what may be changed about feedback.
type UpdateFeedback struct {
	Status string  `json:"status"`
	Note   *string `json:"note,omitempty"` // nil keeps the note
}

// ListFeedback lists what readers said.
func (c *Client) ListFeedback(ctx context.Context, projectID string, f FeedbackFilter, page Page) (*FeedbackList, error) {
	return get[FeedbackList](ctx, c, f.query(page.query()), "v1", "analytics", projectID, "feedback")
}

// ListFeedbackByPage lists pages by how much was said about them.
func (c *Client) ListFeedbackByPage(ctx context.Context, projectID string, f FeedbackFilter, limit int) (*PageFeedbackList, error) {
	return get[PageFeedbackList](ctx, c, f.query(Page{Limit: limit}.query()), "v1", "analytics", projectID, "feedback", "by-page")
}

// UpdateFeedback says what became of feedback.
func (c *Client) UpdateFeedback(ctx context.Context, projectID, feedbackID string, in UpdateFeedback) (*Feedback, error) {
	return submit[Feedback](ctx, c, http.MethodPatch, in, nil, "v1", "analytics", projectID, "feedback", feedbackID)
}
