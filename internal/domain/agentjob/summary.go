package agentjob

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/codespan"
)

// unconfirmed begins the label of a summary: what its agent claims and its changes do not show.
const unconfirmed = "Not confirmed by the changes:\n"

// LabelSummary adds what the changes do not show to a summary. Each line quotes the agent, so that it is code in Markdown.
func LabelSummary(summary string, lines []string) string {
	if len(lines) == 0 {
		return summary
	}
	var b strings.Builder
	if said := strings.TrimSpace(summary); said != "" {
		b.WriteString(said + "\n\n")
	}
	b.WriteString(unconfirmed)
	for _, l := range lines {
		b.WriteString("\n- " + codespan.Of(l))
	}
	return b.String()
}

// CutLabel returns what an agent says and the label of LabelSummary, "" if it has none. The lines of a label cannot
// begin another one.
func CutLabel(summary string) (said, label string) {
	i := strings.LastIndex("\n\n"+summary, "\n\n"+unconfirmed)
	if i < 0 {
		return summary, ""
	}
	return strings.TrimSpace(summary[:i]), summary[i:]
}
