package automation

import (
	"fmt"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
)

// Gap is something that readers looked for and did not find.
type Gap struct {
	Text  string // the reader's text; untrusted
	Page  string // the page where they asked; "" = unknown
	Times int64  // number of searches on the last day; 0 for a question
}

// Limits of the gaps passed to an agent.
const (
	MaxGaps     = 50  // questions, and as many searches
	maxGapText  = 300 // characters of each
	FirstGaps   = 30 * 24 * time.Hour
	GapsSettle  = 2 * time.Minute // searches are stored with some delay
	questionsOf = "Questions that the documentation did not answer:\n"
	searchesOf  = "Searches that found nothing:\n"
)

// GapList formats gaps for an agent, one per line; "" = there are none.
func GapList(questions, searches []Gap) string {
	var b strings.Builder
	if len(questions) > 0 {
		b.WriteString(questionsOf)
		for _, q := range questions {
			b.WriteString("- " + gapLine(q.Text))
			if q.Page != "" {
				b.WriteString(" (asked on " + gapLine(q.Page) + ")")
			}
			b.WriteByte('\n')
		}
	}
	if len(searches) > 0 {
		b.WriteString(searchesOf)
		for _, s := range searches {
			fmt.Fprintf(&b, "- %s (%d)\n", gapLine(s.Text), s.Times)
		}
	}
	return b.String()
}

func gapLine(s string) string { return clip.Runes(strings.Join(strings.Fields(s), " "), maxGapText) }
