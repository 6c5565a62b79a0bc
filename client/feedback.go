package client

// Sources of feedback.
const (
	FeedbackThumbs  = "thumbs_only"  // a thumb without a comment
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
