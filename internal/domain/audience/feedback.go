package audience

import (
	"net/mail"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// FeedbackSource says how a reader gave feedback.
type FeedbackSource string

// The sources.
const (
	ByThumb   FeedbackSource = "thumbs_only"  // a rating without text
	ByComment FeedbackSource = "contextual"   // text about a page
	ByCode    FeedbackSource = "code_snippet" // about a code block
	ByAgent   FeedbackSource = "agent"        // from a program
)

// Sources lists all sources.
func Sources() []FeedbackSource { return []FeedbackSource{ByThumb, ByComment, ByCode, ByAgent} }

// FeedbackStatus says how far the feedback has been dealt with.
type FeedbackStatus string

// The states. Any state may follow any other, because people change their minds.
const (
	Pending    FeedbackStatus = "pending"
	InProgress FeedbackStatus = "in_progress"
	Resolved   FeedbackStatus = "resolved"
	Dismissed  FeedbackStatus = "dismissed"
)

// Statuses lists all states.
func Statuses() []FeedbackStatus { return []FeedbackStatus{Pending, InProgress, Resolved, Dismissed} }

// Limits on text written by readers and editors, in bytes.
const (
	MaxComment = 2000
	MaxCode    = 4000
	MaxContact = 200
	MaxNote    = 2000
	maxName    = 120
)

// Feedback is a reader's feedback on a page.
type Feedback struct {
	ID        string
	ProjectID string
	Path      string
	Source    FeedbackSource
	Helpful   *bool // nil = not given
	Comment   string
	Contact   string // address for a reply, entered by the reader; "" = none
	Code      string
	Filename  string
	Lang      string
	Status    FeedbackStatus
	Note      string // written by the maintainers of the docs
	// groups the feedback that one reader gives on one page on one day; 0 after that day, and if readers are not
	// distinguished
	Mark      Mark
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Clean limits untrusted feedback and sets its source; ok is false if it is empty.
func (f Feedback) Clean() (out Feedback, ok bool) {
	f.Path = Path(f.Path)
	f.Comment, f.Code = Text(f.Comment, MaxComment), Text(f.Code, MaxCode)
	f.Filename, f.Lang = Query(f.Filename), Query(f.Lang)
	f.Contact = strings.TrimSpace(f.Contact)
	if a, err := mail.ParseAddress(f.Contact); err != nil || len(f.Contact) > MaxContact || a.Address != f.Contact {
		f.Contact = ""
	}
	switch {
	case f.Source == ByAgent:
	case f.Code != "":
		f.Source = ByCode
	case f.Comment != "":
		f.Source = ByComment
	default:
		f.Source = ByThumb
	}
	f.Status = Pending
	return f, f.Path != "" && (f.Helpful != nil || f.Comment != "" || f.Code != "")
}

// ParseStatus parses a status from a request.
func ParseStatus(s string) (FeedbackStatus, error) {
	if !slices.Contains(Statuses(), FeedbackStatus(s)) {
		return "", fault.New(fault.Invalid, "invalid_field",
			"status must be pending, in_progress, resolved or dismissed.").WithField("status")
	}
	return FeedbackStatus(s), nil
}

// PageFeedback counts the feedback on a page.
type PageFeedback struct {
	Path                  string
	Up, Down, Code, Total int64
}

// FeedbackFilter selects feedback; empty fields match everything.
type FeedbackFilter struct {
	Span   Span
	Source FeedbackSource
	Status []FeedbackStatus // any of these
}
