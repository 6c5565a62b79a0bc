package agentjob_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
)

func TestIncompleteEditsAreRefused(t *testing.T) {
	whole := agentjob.EditChange{Path: "a.mdx", Text: new("x")}
	for field, list := range map[string][]agentjob.Edit{
		"title":  {{Reason: "R", Changes: []agentjob.EditChange{whole}}, {Title: "a\nb", Reason: "R", Changes: []agentjob.EditChange{whole}}},
		"reason": {{Title: "T", Reason: " ", Changes: []agentjob.EditChange{whole}}},
		"changes": {{Title: "T", Reason: "R"}, {Title: "T", Reason: "R", Changes: []agentjob.EditChange{{Path: "a"}}},
			{Title: "T", Reason: "R", Changes: []agentjob.EditChange{{Path: "a", Old: new("x")}}},
			{Title: "T", Reason: "R", Changes: []agentjob.EditChange{{Path: "a", Text: new("x"), Delete: true}}},
			{Title: "T", Reason: "R", Changes: []agentjob.EditChange{{Path: "a", Text: new("x\x00")}}}},
	} {
		for _, e := range list {
			if err := e.Check(); err == nil || !strings.Contains(err.Error(), field) {
				t.Errorf("%+v: %v, want %s", e, err, field)
			}
		}
	}
}
