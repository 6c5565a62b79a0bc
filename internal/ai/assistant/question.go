package assistant

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
)

// Question is a reader's question and its context. All of it is untrusted.
type Question struct {
	Text     string
	Earlier  []Turn // of the same conversation, oldest first
	Page     string // path of the page that the reader is on; "" = unknown
	Contexts []Context
	Language string // "" = every one
	Version  string
	Passages int // how many are retrieved at first; 0 = DefaultPassages
}

// Turn is something that was said before.
type Turn struct {
	Reader bool // else the assistant
	Text   string
}

// Context is something that the reader pointed at.
type Context struct {
	Code bool // a block of code; else selected text
	Text string
	Page string // path; "" = the page that the reader is on
}

// Bounds of a question. What is longer is cut, since the rest of it still makes sense.
const (
	DefaultPassages = 5
	MaxPassages     = 20
	MaxContexts     = 10
	maxContext      = 6_000  // characters of one
	maxContexts     = 12_000 // characters of all
	maxEarlier      = 10     // turns
	maxTurn         = 3_000  // characters of one
	maxTurns        = 12_000 // characters of all; the oldest go
)

// bound truncates a question to the model's limits and removes invisible text.
func (q Question) bound() Question {
	q.Text = conversation.Cut(guard.Visible(strings.TrimSpace(q.Text)), conversation.MaxQuestion)
	if q.Passages <= 0 {
		q.Passages = DefaultPassages
	}
	q.Passages = min(q.Passages, MaxPassages)
	q.Contexts = append([]Context(nil), q.Contexts[:min(len(q.Contexts), MaxContexts)]...)
	left := maxContexts
	for i, c := range q.Contexts {
		q.Contexts[i].Text = conversation.Cut(guard.Visible(c.Text), min(maxContext, left))
		left -= utf8.RuneCountInString(q.Contexts[i].Text)
	}
	q.Contexts = slices.DeleteFunc(q.Contexts, func(c Context) bool { return c.Text == "" })
	q.Earlier = boundTurns(q.Earlier)
	return q
}

// boundTurns keeps the last of what was said.
func boundTurns(list []Turn) (out []Turn) {
	left := maxTurns
	for _, t := range slices.Backward(list[max(0, len(list)-maxEarlier):]) {
		t.Text = conversation.Cut(guard.Visible(strings.TrimSpace(t.Text)), maxTurn)
		if left -= utf8.RuneCountInString(t.Text); left < 0 {
			break
		}
		if t.Text != "" {
			out = append(out, t)
		}
	}
	slices.Reverse(out)
	return out
}

// lookFor returns what is searched for, the likeliest first: the question, what the reader points at if the question
// has no word of its own, and with the question before it if it goes on from there.
func (q Question) lookFor() []string {
	out := []string{q.Text}
	own := telling(q.Text)
	if len(own) == 0 && len(q.Contexts) > 0 { // "Explain this": what it is about is what the reader points at
		words := telling(q.Contexts[0].Text)
		out = append(out, strings.Join(words[:min(len(words), 12)], " "))
	}
	before := q.before()
	if before == "" || len(own) > ownWords {
		return out
	}
	both := before + " " + q.Text
	if q.goesOn(own) {
		return append([]string{both}, out...)
	}
	return append(out, both)
}

// ownWords is how many significant words a question has at most that may need the one before it.
const ownWords = 3

// before returns the reader's last question, and the one before that if the last went on from it.
func (q Question) before() string {
	for i := len(q.Earlier) - 1; i >= 0; i-- {
		if !q.Earlier[i].Reader {
			continue
		}
		earlier := Question{Text: q.Earlier[i].Text, Earlier: q.Earlier[:i]}
		if words := telling(earlier.Text); earlier.goesOn(words) && i > 0 {
			if more := earlier.before(); more != "" {
				return more + " " + earlier.Text
			}
		}
		return earlier.Text
	}
	return ""
}

// words that refer to what was said before, and those that a question begins with that goes on from there.
var (
	referring = wordSet("it its that this those these them they one ones there same instead else")
	goingOn   = wordSet("and or but what how also then")
)

// goesOn reports whether a question cannot be understood without the one before it. own is its significant words.
func (q Question) goesOn(own []string) bool {
	words := split(q.Text)
	if len(words) == 0 || len(own) > ownWords {
		return false
	}
	for _, w := range words {
		if referring[w] {
			return true
		}
	}
	first := words[0]
	return len(own) <= 1 || first == "and" || first == "or" || first == "but" ||
		goingOn[first] && len(words) > 1 && words[1] == "about"
}

// words that ask about the page itself rather than for something on it.
var pointing = wordSet("this here page above below summary summarise summarize tldr explain selected code example")

// aboutPage reports whether a question may be about the page that the reader is on although none of its words occur
// there.
func (q Question) aboutPage() bool {
	for _, w := range split(q.Text) {
		if pointing[w] {
			return true
		}
	}
	return false
}
