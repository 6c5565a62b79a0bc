package agentjob

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/codespan"
)

// unconfirmed is the first line of a summary's label. The label lists claims that the changes do not confirm.
const unconfirmed = "Not confirmed by the changes:\n"

// LabelSummary appends the unconfirmed claims to a summary. lines quote the agent, so they are formatted as code.
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

// CutLabel splits a summary into the agent's text and the label that LabelSummary appended, "" if there is none. A line
// of a label cannot start another label.
func CutLabel(summary string) (said, label string) {
	i := strings.LastIndex("\n\n"+summary, "\n\n"+unconfirmed)
	if i < 0 {
		return summary, ""
	}
	return strings.TrimSpace(summary[:i]), summary[i:]
}
