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
	Earlier  []Turn // earlier turns of the conversation, oldest first
	Page     string // path of the page that the reader is on; "" = unknown
	Contexts []Context
	Language string // "" = any language
	Version  string
	Passages int // number of passages to retrieve first; 0 = DefaultPassages
}

// Turn is an earlier turn of the conversation.
type Turn struct {
	Reader bool // false = by the assistant
	Text   string
}

// Context is text that the reader selected.
type Context struct {
	Code bool // a code block; false = selected text
	Text string
	Page string // path; "" = the page that the reader is on
}

// Limits of a question. Longer text is truncated, since the rest is still useful.
const (
	DefaultPassages = 5
	MaxPassages     = 20
	MaxContexts     = 10
	maxContext      = 6_000  // characters of one context
	maxContexts     = 12_000 // characters of all contexts
	maxEarlier      = 10     // turns
	maxTurn         = 3_000  // characters of one turn
	maxTurns        = 12_000 // characters of all turns; the oldest are dropped
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

// boundTurns keeps the most recent turns within the limits.
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

// lookFor returns the texts to search for, most promising first: the question; the selected text, if the question
// has no significant words; and the question combined with the previous one, if it is a follow-up.
func (q Question) lookFor() []string {
	out := []string{q.Text}
	own := telling(q.Text)
	if len(own) == 0 && len(q.Contexts) > 0 { // "Explain this": the topic is in the selected text
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

// ownWords is the maximum number of significant words in a question that may be a follow-up.
const ownWords = 3

// before returns the reader's previous question, and the one before that if the previous one was a follow-up.
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

// referring are words that refer to earlier text; goingOn are first words of follow-up questions.
var (
	referring = wordSet("it its that this those these them they one ones there same instead else")
	goingOn   = wordSet("and or but what how also then")
)

// goesOn reports whether a question cannot be understood without the previous one. own are its significant words.
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

// pointing are words that refer to the page itself rather than to a topic on it.
var pointing = wordSet("this here page above below summary summarise summarize tldr explain selected code example")

// aboutPage reports whether a question may be about the page that the reader is on, even if none of its words occur
// there.
func (q Question) aboutPage() bool {
	for _, w := range split(q.Text) {
		if pointing[w] {
			return true
		}
	}
	return false
}
