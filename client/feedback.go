package client

import (
	"context"
	"net/http"
	"net/url"
	"strings"
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
