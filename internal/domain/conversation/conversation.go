package conversation

import (
	"time"
	"unicode/utf8"
)

// Type is how an answer came out.
type Type string

// The types.
const (
	Answered   Type = "answered"
	Unanswered Type = "unanswered" // the documentation does not say
	Refused    Type = "refused"    // the question is not about the documentation, or the model will not answer
	Failed     Type = "failed"     // the model could not be asked, or broke off
)

// ParseType reads a stored type. Earlier releases stored "local" for answers without a model.
func ParseType(stored string) Type {
	if stored == "local" {
		return Answered
	}
	return Type(stored)
}

// Answers reports whether the documentation had something to say. What the reader thought of it does not count.
func (t Type) Answers() bool { return t == Answered }

// Caller is where a question came from.
type Caller string

// The callers.
const (
	Web   Caller = "web"   // a page of the site, or the widget on another
	API   Caller = "api"   // a program with a key
	Other Caller = "other" // a client that calls the site's endpoint and is not a page
)

// Source is a place of the documentation that an answer names.
type Source struct {
	Number int    `json:"number"` // as the answer's text calls it: [1]
	Path   string `json:"path"`   // of the page as readers see it, with the anchor: "/guides/start#install"
	Title  string `json:"title"`
}

// Exchange is one question and its answer. Exchanges with the same thread are one conversation.
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
	Model     string // which model answered; "" = none
	Tokens    int64  // read and written
	Helpful   *bool  // what the reader said of it; nil = nothing
	Comment   string
}

// Stats counts questions by where they came from.
type Stats struct{ Web, API, Other int64 }

// Bounds, in characters.
const (
	MaxQuestion = 4_000
	MaxAnswer   = 20_000
	MaxComment  = 2_000
	MaxPage     = 200
	MaxTitle    = 300
	MaxSources  = 50 // entries
)

// Bound cuts what is longer than its bound.
func (e Exchange) Bound() Exchange {
	e.Question, e.Answer, e.Comment = Cut(e.Question, MaxQuestion), Cut(e.Answer, MaxAnswer), Cut(e.Comment, MaxComment)
	e.Page, e.Model = Cut(e.Page, MaxPage), Cut(e.Model, MaxTitle)
	e.Sources = append([]Source(nil), e.Sources[:min(len(e.Sources), MaxSources)]...)
	for i := range e.Sources {
		e.Sources[i].Title, e.Sources[i].Path = Cut(e.Sources[i].Title, MaxTitle), Cut(e.Sources[i].Path, MaxTitle)
	}
	return e
}

// Cut returns a text of n characters at most.
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

// Resolution is whether a question was settled, as far as that is known.
type Resolution string

// The resolutions.
const (
	Resolved   Resolution = "resolved"
	Unresolved Resolution = "unresolved"
	Unknown    Resolution = "unknown"
)

// Resolution believes the reader first, then how the answer came out.
func (e Exchange) Resolution() Resolution {
	switch {
	case e.Helpful != nil && *e.Helpful:
		return Resolved
	case e.Helpful != nil, e.Type == Unanswered, e.Type == Failed:
		return Unresolved
	}
	return Unknown
}
