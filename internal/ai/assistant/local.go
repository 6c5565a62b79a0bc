package assistant

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/conversation"
)

const (
	quotes      = 2    // maximum number of quotations
	nearestMost = 3    // pages offered when there is no answer
	near        = 0.25 // minimum share of the question that an offered page must cover
	enough      = 0.55 // minimum share of the question that a quotation must cover
	beside      = 0.75 // minimum rank of the second quotation, relative to the first
)

// local answers without a model: it quotes the parts of pages that cover most of the question, or says that there
// is no answer.
func (t *speech) local(ctx context.Context, q Question) Result {
	var best []found
	var words terms
	for _, text := range q.lookFor() {
		ts, err := t.retrieved.lookUp(ctx, text, q.Text)
		if err != nil {
			return t.failed(err)
		}
		if len(ts) == 0 {
			continue
		}
		list, err := t.retrieved.findParts(ctx, text, ts, asksFor(text))
		if err != nil {
			return t.failed(err)
		}
		if len(list) > 0 && (len(best) == 0 || list[0].share > best[0].share) {
			best, words = list, ts
		}
		if len(best) > 0 && best[0].share >= enough {
			return t.quote(best, words)
		}
	}
	return t.offer(best)
}

// quote quotes the parts that were found, best first.
func (t *speech) quote(list []found, ts terms) Result {
	t.clean = &cleaner{emit: t.pass, cite: t.retrieved.cite, allow: t.retrieved.allow, left: maxBytes}
	for i, f := range chosen(list) {
		p := f.passage()
		p.text = f.quotation(ts)
		p = t.retrieved.add(p)
		if i > 0 {
			t.clean.write("\n\n")
		}
		t.clean.cite = t.retrieved.cite
		t.clean.write(fmt.Sprintf("**%s** [%d]\n\n", t.clean.plain(p.title), p.number))
		t.clean.cite = func(int) (int, bool) { return 0, false } // numbers in a passage are not citations
		t.clean.write(p.text)
	}
	t.clean.end()
	return t.result(conversation.Answered, t.clean.err)
}

// chosen returns the parts to quote: the best, and a second one that ranks nearly as high. If neither is on the page
// that the search ranked first, the second is that page's best part instead, provided it covers enough of the question.
func chosen(list []found) (out []found) {
	first := slices.MaxFunc(list, func(a, b found) int { return cmp.Compare(a.score, b.score) }).page
	for _, f := range list {
		if len(out) < quotes && f.rank >= beside*list[0].rank && f.share >= enough {
			out = append(out, f)
		}
	}
	if slices.ContainsFunc(out, func(f found) bool { return f.page == first }) {
		return out
	}
	for _, f := range list {
		if f.page == first && f.share >= enough {
			return []found{list[0], f}
		}
	}
	return out
}

// passage converts the part to a passage for citation.
func (f found) passage() passage {
	p := passage{page: f.page, anchor: f.part.Anchor, title: f.part.Trail[0]}
	if n := len(f.part.Trail); n > 1 {
		p.title += " › " + f.part.Trail[n-1]
	}
	return p
}

// offer says that the documentation has no answer, and offers the most similar pages.
func (t *speech) offer(list []found) Result {
	t.clean = &cleaner{emit: t.pass, cite: t.retrieved.cite, allow: t.retrieved.allow, left: maxBytes}
	seen := map[string]bool{}
	var b strings.Builder
	for _, f := range list {
		p := f.passage()
		if f.share < near || seen[p.page] || len(seen) == nearestMost {
			continue
		}
		seen[p.page] = true
		t.retrieved.add(p)
		fmt.Fprintf(&b, "- [%s](%s)\n", t.clean.plain(p.title), p.path())
	}
	if b.Len() == 0 {
		return t.endWith(conversation.Refused, notCovered)
	}
	t.clean.write(notAnswered + b.String())
	t.clean.end()
	return t.result(conversation.Unanswered, t.clean.err)
}
