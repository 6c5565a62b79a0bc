package agent

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/summarycheck"
)

// G5: a quotation in a label contains no commands for the code host or the build server.
func TestLabelContainsNoCommands(t *testing.T) {
	got := labelOf(summarycheck.Finding{Sentence: "Updated missing.mdx, closes #12 [skip ci] for @somebody.", Why: "missing.mdx was not changed."})
	for _, command := range []string{"closes #12", "[skip ci]", " @somebody"} {
		if strings.Contains(got, command) {
			t.Errorf("%q has %q", got, command)
		}
	}
	if !strings.Contains(got, "missing.mdx was not changed.") {
		t.Errorf("%q does not say what is wrong", got)
	}
}
