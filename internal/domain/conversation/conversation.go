package conversation

import (
	"time"
	"unicode/utf8"
)

// Type is the outcome of an answer.
type Type string

// The types.
const (
	Answered   Type = "answered"
	Unanswered Type = "unanswered" // the documentation does not contain the answer
	Refused    Type = "refused"    // the question is not about the documentation, or the model refuses to answer
	Failed     Type = "failed"     // the model could not be reached, or its answer was interrupted
)

// ParseType parses a stored type. Earlier releases stored "local" for answers without a model.
func ParseType(stored string) Type {
	if stored == "local" {
		return Answered
	}
	return Type(stored)
}

// Answers reports whether the documentation contained an answer, regardless of the reader's rating.
func (t Type) Answers() bool { return t == Answered }

// Caller is the origin of a question.
type Caller string

// The callers.
const (
	Web   Caller = "web"   // a page of the site, or the widget on another site
	API   Caller = "api"   // a program with a key
	Other Caller = "other" // another client that calls the site's endpoint
)

// Source is a location in the documentation that an answer cites.
type Source struct {
	Number int    `json:"number"` // its number in the answer's text: [1]
	Path   string `json:"path"`   // path of the page as readers see it, with the anchor: "/guides/start#install"
	Title  string `json:"title"`
}

// Exchange is a question with its answer. Exchanges with the same thread form a conversation.
type Exchange struct {
	ID        string
	ThreadID  string
	ProjectID string
	At        time.Time
	Caller    Caller
	Page      string // path of the page that the reader was on; "" = unknown
	Question  string
	Answer    string // Markdown
	Type      Type
	Sources   []Source
	Model     string // the model that answered; "" = none
	Tokens    int64  // input and output
	Helpful   *bool  // the reader's rating; nil = none
	Comment   string
}

// Stats counts questions by origin.
type Stats struct{ Web, API, Other int64 }

// Limits, in characters.
const (
	MaxQuestion = 4_000
	MaxAnswer   = 20_000
	MaxComment  = 2_000
	MaxPage     = 200
	MaxTitle    = 300
	MaxSources  = 50 // entries
)

// Bound truncates all text to its limits.
func (e Exchange) Bound() Exchange {
	e.Question, e.Answer, e.Comment = Cut(e.Question, MaxQuestion), Cut(e.Answer, MaxAnswer), Cut(e.Comment, MaxComment)
	e.Page, e.Model = Cut(e.Page, MaxPage), Cut(e.Model, MaxTitle)
	e.Sources = append([]Source(nil), e.Sources[:min(len(e.Sources), MaxSources)]...)
	for i := range e.Sources {
		e.Sources[i].Title, e.Sources[i].Path = Cut(e.Sources[i].Title, MaxTitle), Cut(e.Sources[i].Path, MaxTitle)
	}
	return e
}

// Cut truncates s to n characters.
func Cut(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// Resolution says whether a question was resolved. It may be unknown.
type Resolution string

// The resolutions.
const (
	Resolved   Resolution = "resolved"
	Unresolved Resolution = "unresolved"
	Unknown    Resolution = "unknown"
)

// Resolution uses the reader's rating if there is one, otherwise the outcome of the answer.
func (e Exchange) Resolution() Resolution {
	switch {
	case e.Helpful != nil && *e.Helpful:
		return Resolved
	case e.Helpful != nil, e.Type == Unanswered, e.Type == Failed:
		return Unresolved
	}
	return Unknown
}
