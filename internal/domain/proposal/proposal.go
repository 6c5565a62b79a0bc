// Package proposal defines pull requests on the embedded code host: branches that users may merge into a project's
// branch, and the users' comments on them.
//
// Inputs: requests to change a proposal's state; the lines of files that comments refer to. Outputs: nil, or a conflict
// that names the state that forbids the change; the current position of a comment's lines. It does not depend on Git,
// files or permissions.
package proposal

import (
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// State is the state of a proposal.
type State string

// The states.
const (
	Open   State = "open"
	Merged State = "merged"
	Closed State = "closed"
)

// edges lists the permitted transitions. The agent's next change reopens a closed proposal; a merged one is final.
var edges = map[State][]State{Open: {Merged, Closed}, Closed: {Open}, Merged: nil}

// Proposal is a stored proposal.
type Proposal struct {
	ID             string
	OrganizationID string
	ProjectID      string
	Number         int64 // incremented within the project, starting at 1
	State          State
	Draft          bool
	Title          string
	Body           string // Markdown, untrusted
	Head           string // branch with the changes
	Base           string // branch for which the changes are proposed
	MergeCommit    string // "" until merged
	DecidedBy      string // who merged or closed it; "" while open
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Position describes a proposal's branch relative to its base.
type Position struct {
	Commit string // its head commit
	Behind int    // number of commits on the base that the branch does not have, up to a limit
}

// CheckEdge refuses an invalid transition.
func CheckEdge(from, to State) error {
	if slices.Contains(edges[from], to) {
		return nil
	}
	return fault.Newf(fault.Conflict, "wrong_state", "The proposal is %s and cannot become %s.", from, to)
}
