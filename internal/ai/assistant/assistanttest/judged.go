package assistanttest

import (
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Judged is a question with its right answer, as a person found it in the documentation.
type Judged struct {
	Text     string   `json:"q"`
	Earlier  []string `json:"earlier"`  // previous questions in the conversation
	Pages    []string `json:"page"`     // the answer must cite one of them
	Phrases  []string `json:"has"`      // the first or second quotation must contain one of them
	Outside  bool     `json:"outside"`  // the documentation does not answer it: only a refusal is right
	Language bool     `json:"language"` // not in the language of the documentation: a refusal is right as well
}

//go:embed questions.json
var questions []byte

// Questions returns all judged questions.
func Questions() (list []Judged, err error) {
	if err := json.Unmarshal(questions, &list); err != nil {
		return nil, fmt.Errorf("read judged questions: %w", err)
	}
	return list, nil
}

// KeptApart reports whether a question is in the half that the assistant is not tuned with.
func (j Judged) KeptApart() bool { return sha256.Sum256([]byte(j.Text))[0]%2 == 1 }

// Kind is how a question relates to the documentation.
type Kind string

// Kinds of questions.
const (
	Plain     Kind = "answered by the docs"
	Following Kind = "following another question"
	Foreign   Kind = "in another language"
	Beyond    Kind = "outside the docs"
)

// Kinds lists all kinds in the order of the table.
func Kinds() []Kind { return []Kind{Plain, Following, Foreign, Beyond} }

// Kind returns the kind of the question.
func (j Judged) Kind() Kind {
	switch {
	case j.Outside:
		return Beyond
	case j.Language:
		return Foreign
	case len(j.Earlier) > 0:
		return Following
	}
	return Plain
}

// Answer is an assistant's answer.
type Answer struct {
	Refused bool // the answer says that the documentation does not answer the question
	Text    string
	Cites   []string // addresses: /guides/start#install
}

// Verdict is a judgement of an answer.
type Verdict string

// Verdicts on an answer.
const (
	Right   Verdict = "right"
	Honest  Verdict = "honest refusal"  // to a question that need not be answered
	Missed  Verdict = "missed"          // refuses a question that the documentation answers
	Wrong   Verdict = "wrong quotation" // quotes something else
	Claimed Verdict = "claimed"         // answers a question that the documentation does not answer
)

var citedTitle = regexp.MustCompile(`(?m)^(?:\*\*.+\*\*|#### .+) \[\d+\]$`)

// Judge judges an answer that quotes.
func (j Judged) Judge(a Answer) Verdict {
	switch {
	case a.Refused && (j.Outside || j.Language):
		return Honest
	case a.Refused:
		return Missed
	case j.Outside:
		return Claimed
	}
	text := a.Text
	if at := citedTitle.FindAllStringIndex(text, 3); len(at) == 3 {
		text = text[:at[2][0]]
	}
	if j.CitesPage(a) && j.Has(text) {
		return Right
	}
	return Wrong
}

// CitesPage reports whether an answer cites a page that answers the question.
func (j Judged) CitesPage(a Answer) bool {
	return slices.ContainsFunc(a.Cites, func(address string) bool {
		page, _, _ := strings.Cut(address, "#")
		return slices.Contains(j.Pages, page)
	})
}

// Has reports whether a text contains a phrase that answers the question.
func (j Judged) Has(text string) bool {
	has := PlainText(text)
	return slices.ContainsFunc(j.Phrases, func(p string) bool { return strings.Contains(has, PlainText(p)) })
}

// PlainText returns s in lower case without Markdown syntax, so that a phrase is found regardless of line breaks and
// formatting.
func PlainText(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.NewReplacer("`", "", "*", "", `\|`, "|").Replace(s)), " "))
}
