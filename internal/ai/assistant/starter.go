package assistant

import (
	"context"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Starters is the number of suggested questions that a reader sees at first.
const Starters = 3

var listed = lazyregexp.New(`(?m)^- \[([^\]\n]+)\]\(([^)\s]*)`)

// Questions returns up to Starters suggested questions, built from the titles of a site's first suitable pages. It
// returns nil if the site has no list of pages.
func Questions(ctx context.Context, l *sitereader.Library) []string {
	list, err := l.List(ctx, "llms.txt")
	if err != nil {
		return nil
	}
	var out []string
	for _, m := range listed.FindAllStringSubmatch(list[:min(len(list), 64<<10)], 40) {
		title := strings.TrimSpace(sitereader.Unmarked(m[1]))
		if title == "" || len(telling(title)) == 0 || len(title) > 60 || !answers(ctx, l, m[2]) {
			continue
		}
		if out = append(out, conversation.Cut("What does “"+title+"” cover?", 100)); len(out) == Starters {
			break
		}
	}
	return out
}

// answers reports whether the page at an address may be used for answers.
func answers(ctx context.Context, l *sitereader.Library, address string) bool {
	p, err := l.Page(ctx, address)
	if err != nil {
		return false
	}
	findable, err := l.Findable(ctx, p.Path)
	return findable && err == nil
}
