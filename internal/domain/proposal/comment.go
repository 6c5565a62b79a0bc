package proposal

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Side is the side of a change that a comment refers to.
type Side string

// The sides.
const (
	Old Side = "old" // the file before the change
	New Side = "new" // the file with the change
)

// Limits of comments.
const (
	MaxComments   = 500      // per proposal
	MaxBody       = 16 << 10 // bytes
	MaxSuggestion = 64 << 10 // bytes
	MaxQuote      = 64 << 10 // bytes of the quoted lines
	MaxLines      = 200      // quoted lines
)

// Comment is a comment on lines of a proposal's file.
type Comment struct {
	ID             string
	OrganizationID string
	ProposalID     string
	File           string // path of the changed file, relative to the docs folder
	Side           Side
	Line, Last     int    // line numbers when the comment was made, starting at 1
	Quote          string // text of these lines without the last line end; used to find them again after later commits
	Body           string // untrusted
	Suggests       bool   // Suggestion is meant to replace the lines
	Suggestion     string // "" removes the lines
	Commit         string // head of the branch when the comment was made
	Author         string // id of a member or a key
	ResolvedBy     string // "" = not resolved
	Applied        string // commit that applied the suggestion; "" = none
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Resolved reports whether the comment is resolved.
func (c Comment) Resolved() bool { return c.ResolvedBy != "" }

// Approval is a person's approval of a proposal at a commit.
type Approval struct {
	OrganizationID string
	ProposalID     string
	Author         string // id of a member or a key
	Commit         string // head of the branch when it was approved; the approval is stale once the branch has moved
	CreatedAt      time.Time
}

// CheckComment normalizes the text of a comment for storage, or refuses it.
func CheckComment(body string, suggestion *string, side Side) (string, error) {
	body = strings.TrimSpace(plainLines(body))
	switch {
	case len(body) > MaxBody:
		return "", invalid("body", "The comment is longer than %d bytes.", MaxBody)
	case body == "" && suggestion == nil:
		return "", fault.New(fault.Invalid, "missing_field", "The comment has no text.").WithField("body")
	case suggestion != nil && side != New:
		return "", invalid("suggestion", "Only lines on the new side can be edited.")
	case suggestion != nil && len(*suggestion) > MaxSuggestion:
		return "", invalid("suggestion", "The suggested text is longer than %d bytes.", MaxSuggestion)
	case suggestion != nil && (!utf8.ValidString(*suggestion) || strings.ContainsRune(*suggestion, 0)):
		return "", invalid("suggestion", "The suggested text is not valid UTF-8 text.")
	}
	return body, nil
}

// plainLines normalizes line ends, which browsers submit as CRLF in forms.
func plainLines(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
}

func invalid(field, format string, args ...any) error {
	return fault.Newf(fault.Invalid, "invalid_field", format, args...).WithField(field)
}

// Quote returns the lines of text from line to last, starting at 1.
func Quote(text string, line, last int) (string, error) {
	lines := linesOf(text)
	switch {
	case line < 1 || line > len(lines):
		return "", invalid("line", "The file has no line %d; its last line is %d.", line, len(lines))
	case last < line || last > len(lines):
		return "", invalid("endLine", "The file has no lines %d to %d; its last line is %d.", line, last, len(lines))
	case last-line >= MaxLines:
		return "", invalid("endLine", "A comment can cover at most %d lines.", MaxLines)
	}
	quote := strings.Join(bare(lines[line-1:last]), "\n")
	if len(quote) > MaxQuote {
		return "", invalid("line", "The commented lines have more than %d bytes.", MaxQuote)
	}
	return quote, nil
}

// Lines splits text into lines without their ends, for Find.
func Lines(text string) []string { return bare(linesOf(text)) }

// Find returns the position of the comment's lines in a file, or 0 if the file does not contain them. Of several
// matches, it returns the one nearest to the original position.
func (c Comment) Find(have []string) (line int) {
	want := strings.Split(c.Quote, "\n")
	if len(want) > len(have) {
		return 0
	}
	for away := range max(c.Line, len(have)-c.Line+1) {
		for _, at := range [2]int{c.Line - away, c.Line + away} {
			if equalAt(have, at, want) {
				return at
			}
		}
	}
	return 0
}

// once reports whether a file contains the comment's lines exactly once.
func (c Comment) once(have []string) bool {
	want, n := strings.Split(c.Quote, "\n"), 0
	for i := range have {
		if equalAt(have, i+1, want) {
			n++
		}
	}
	return n == 1
}

// Apply replaces the comment's lines in text, the content of the file at a commit of the branch, with the suggestion.
// New lines get the line ends of the replaced ones. ok is false if the lines no longer exist. It is also false if the
// branch has moved and the lines occur more than once, because it is then unclear which of them are meant.
func (c Comment) Apply(text, commit string) (after string, ok bool) {
	have := Lines(text)
	at := c.Find(have)
	if at == 0 || !c.Suggests || commit != c.Commit && !c.once(have) {
		return text, false
	}
	lines := linesOf(text)
	gone := lines[at-1 : at-1+strings.Count(c.Quote, "\n")+1]
	end := "\n"
	if strings.HasSuffix(gone[0], "\r\n") {
		end = "\r\n"
	}
	fresh := strings.TrimSuffix(plainLines(c.Suggestion), "\n")
	if c.Suggestion != "" {
		fresh = strings.ReplaceAll(fresh, "\n", end)
		if strings.HasSuffix(gone[len(gone)-1], "\n") {
			fresh += end
		}
	}
	return strings.Join(lines[:at-1], "") + fresh + strings.Join(lines[at-1+len(gone):], ""), true
}

// linesOf splits text into lines with their ends.
func linesOf(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// bare removes the ends of lines.
func bare(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimRight(l, "\r\n")
	}
	return out
}

// equalAt reports whether lines contains the wanted lines at line number at, starting at 1.
func equalAt(lines []string, at int, want []string) bool {
	return at >= 1 && at-1+len(want) <= len(lines) && slices.Equal(lines[at-1:at-1+len(want)], want)
}
