package agent

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
)

// A redo does not repeat prompts that belong to an earlier pull request, which was closed or merged.
func TestRedoOmitsPromptsOfEarlierPullRequests(t *testing.T) {
	got := sinceRedo([]agentjob.Entry{
		{Round: 1, Kind: agentjob.Prompt, Text: "Rename everything"},
		{Round: 1, Kind: agentjob.Answer, Text: "Renamed."},
		{Round: 2, Kind: agentjob.Prompt, Text: "Fix the typo"},
		{Round: 2, Kind: agentjob.Note, Code: newBranch},
		{Round: 2, Kind: agentjob.Answer, Text: "Fixed."},
		{Round: 3, Kind: agentjob.Prompt, Code: agentjob.Redo, Text: agentjob.RedoText},
	})
	var texts []string
	for _, e := range got {
		texts = append(texts, e.Text)
	}
	if len(texts) != 3 || texts[0] != "Fix the typo" || texts[1] != "Fixed." || texts[2] != agentjob.RedoText {
		t.Errorf("the model gets %q", texts)
	}
}
