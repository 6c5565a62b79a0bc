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

// Gaps lists what the readers of a project looked for and did not find in a period of time.
type Gaps struct {
	Questions []Gap // questions that the documentation did not answer
	Searches  []Gap // searches that found nothing
	// Refused are questions that the assistant refused. Most of them do not indicate a gap, and strangers can send many
	// of them, so they are only listed together with other gaps.
	Refused []Gap
}

// Limits of the gaps passed to an agent.
const (
	MaxGaps     = 50  // questions, and as many searches
	MaxRefused  = 20  // refused questions
	maxGapText  = 300 // characters of each
	FirstGaps   = 30 * 24 * time.Hour
	GapsSettle  = 2 * time.Minute // searches are stored with some delay
	questionsOf = "Questions that the documentation did not answer:\n"
	searchesOf  = "Searches that found nothing:\n"
	refusedOf   = "Questions that the assistant refused, as not about the documentation or because the model would not answer. " +
		"Most of them miss nothing:\n"
)

// List formats gaps for an agent, one per line. It returns "" if there are only refused questions, or none at all.
func (g Gaps) List() string {
	if len(g.Questions) == 0 && len(g.Searches) == 0 {
		return ""
	}
	var b strings.Builder
	writeQuestions(&b, questionsOf, g.Questions)
	if len(g.Searches) > 0 {
		b.WriteString(searchesOf)
		for _, s := range g.Searches {
			fmt.Fprintf(&b, "- %s (%d)\n", gapLine(s.Text), s.Times)
		}
	}
	writeQuestions(&b, refusedOf, g.Refused)
	return b.String()
}

func writeQuestions(b *strings.Builder, heading string, list []Gap) {
	if len(list) > 0 {
		b.WriteString(heading)
	}
	for _, q := range list {
		b.WriteString("- " + gapLine(q.Text))
		if q.Page != "" {
			b.WriteString(" (asked on " + gapLine(q.Page) + ")")
		}
		b.WriteByte('\n')
	}
}

func gapLine(s string) string { return clip.Runes(strings.Join(strings.Fields(s), " "), maxGapText) }
