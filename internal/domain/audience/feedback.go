package audience

import (
	"net/mail"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// FeedbackSource is what a reader said something with.
type FeedbackSource string

// The sources.
const (
	ByThumb   FeedbackSource = "thumbs_only"  // a thumb and no word
	ByComment FeedbackSource = "contextual"   // words about a page
	ByCode    FeedbackSource = "code_snippet" // about a code block
	ByAgent   FeedbackSource = "agent"        // from a program
)

// Sources lists them.
func Sources() []FeedbackSource { return []FeedbackSource{ByThumb, ByComment, ByCode, ByAgent} }

// FeedbackStatus is how far the feedback has been handled.
type FeedbackStatus string

// The states. Any may follow any: people change their minds.
const (
	Pending    FeedbackStatus = "pending"
	InProgress FeedbackStatus = "in_progress"
	Resolved   FeedbackStatus = "resolved"
	Dismissed  FeedbackStatus = "dismissed"
)

// Statuses lists them.
func Statuses() []FeedbackStatus { return []FeedbackStatus{Pending, InProgress, Resolved, Dismissed} }

// Bounds of what readers and editors write, in bytes.
const (
	MaxComment = 2000
	MaxCode    = 4000
	MaxContact = 200
	MaxNote    = 2000
	maxName    = 120
)

// Feedback is what a reader said about a page.
type Feedback struct {
	ID        string
	ProjectID string
	Path      string
	Source    FeedbackSource
	Helpful   *bool // nil = not said
	Comment   string
	Contact   string // an address by which the reader wants to be answered; given by hand, "" = none
	Code      string
	Filename  string
	Lang      string
	Status    FeedbackStatus
	Note      string // of those who look after the docs
	// joins what one reader says about one page on one day; 0 afterwards, and when readers are not distinguished
	Mark      Mark
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Clean bounds untrusted feedback and sets its source; ok is false when it is empty.
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

// ParseStatus reads a state that a caller named.
func ParseStatus(s string) (FeedbackStatus, error) {
	if !slices.Contains(Statuses(), FeedbackStatus(s)) {
		return "", fault.New(fault.Invalid, "invalid_field",
			"status must be pending, in_progress, resolved or dismissed.").WithField("status")
	}
	return FeedbackStatus(s), nil
}

// PageFeedback is what was said about one page, in figures.
type PageFeedback struct {
	Path                  string
	Up, Down, Code, Total int64
}

// FeedbackFilter says which is wanted; empty fields ask for nothing.
type FeedbackFilter struct {
	Span   Span
	Source FeedbackSource
	Status []FeedbackStatus // any of these
}
