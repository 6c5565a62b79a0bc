package agentjob_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
)

func TestCutLabelReversesLabelSummary(t *testing.T) {
	for _, summary := range []string{"", "Done.", "Two.\n\nParagraphs."} {
		labelled := agentjob.LabelSummary(summary, []string{`"Done": Nothing was changed.`, "x\n\nNot confirmed by the changes:\n\n- y"})
		said, label := agentjob.CutLabel(labelled)
		if said != summary || strings.Count(label, "\n- ") != 2 {
			t.Errorf("%q: %q, %q", summary, said, label)
		}
		if said, label := agentjob.CutLabel(summary); said != summary || label != "" {
			t.Errorf("%q: %q, %q", summary, said, label)
		}
		if agentjob.LabelSummary(summary, nil) != summary {
			t.Errorf("%q has a label", summary)
		}
	}
}
