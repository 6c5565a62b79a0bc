package agentjob_test

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// J4: no other transitions are possible.
func TestOnlyDocumentedTransitionsAreAllowed(t *testing.T) {
	all := []agentjob.Status{agentjob.Active, agentjob.Completed, agentjob.Failed, agentjob.Archived}
	allowed := map[[2]agentjob.Status]bool{
		{agentjob.Active, agentjob.Completed}: true, {agentjob.Active, agentjob.Failed}: true,
		{agentjob.Active, agentjob.Archived}:  true,
		{agentjob.Completed, agentjob.Active}: true, {agentjob.Failed, agentjob.Active}: true,
		{agentjob.Completed, agentjob.Archived}: true, {agentjob.Failed, agentjob.Archived}: true,
	}
	for _, from := range all {
		for _, to := range all {
			err := agentjob.CheckEdge(from, to)
			if (err == nil) != allowed[[2]agentjob.Status{from, to}] {
				t.Errorf("%s → %s: %v", from, to, err)
			}
			if err != nil && !fault.Is(err, fault.Conflict) {
				t.Errorf("%s → %s is not a conflict", from, to)
			}
		}
	}
}
