package proposal_test

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// J4: no other transitions are possible; merged is final.
func TestOnlyDocumentedTransitionsAreAllowed(t *testing.T) {
	all := []proposal.State{proposal.Open, proposal.Merged, proposal.Closed}
	allowed := map[[2]proposal.State]bool{
		{proposal.Open, proposal.Merged}: true, {proposal.Open, proposal.Closed}: true,
		{proposal.Closed, proposal.Open}: true,
	}
	for _, from := range append(all, "unknown") {
		for _, to := range append(all, "unknown") {
			err := proposal.CheckEdge(from, to)
			if (err == nil) != allowed[[2]proposal.State{from, to}] || err != nil && !fault.Is(err, fault.Conflict) {
				t.Errorf("%s → %s: %v", from, to, err)
			}
		}
	}
}
