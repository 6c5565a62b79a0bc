package assistant

import (
	"fmt"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
)

const (
	quotes   = 5   // passages at most
	maxQuote = 700 // bytes of one
)

// quote answers without a model: with the passages that fit best.
func (t *speech) quote() Result {
	list := t.retrieved.passages
	if len(list) == 0 {
		return t.endWith(conversation.Unanswered, foundNothing)
	}
	t.clean = &cleaner{emit: t.pass, cite: t.retrieved.cite, allow: t.retrieved.allow, left: maxBytes}
	t.clean.write(quotesOnly)
	for _, p := range list[:min(len(list), quotes)] {
		t.clean.cite = t.retrieved.cite
		t.clean.write(fmt.Sprintf("**%s** [%d]\n\n", t.clean.plain(p.title), p.number))
		t.clean.cite = func(int) (int, bool) { return 0, false } // numbers in a passage are not ours
		t.clean.write(sitereader.Shorten(p.text, maxQuote) + "\n\n")
	}
	t.clean.end()
	return t.result(conversation.Local, t.clean.err)
}
