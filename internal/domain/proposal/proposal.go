// Package proposal defines pull requests on the embedded code host: branches that a person may merge into a project's
// branch, and what people say about them.
//
// Inputs: requests to change a proposal's state; the lines of files that comments are about.
// Outputs: nil, or a conflict that names the state that forbids the change; where a comment's lines are now.
// It knows nothing about Git, files or permissions.
package proposal

import (
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// State of a proposal.
type State string

// The states.
const (
	Open   State = "open"
	Merged State = "merged"
	Closed State = "closed"
)

// edges lists what may follow each state: a closed proposal is opened again by its agent's next change; a merged one
// has ended.
var edges = map[State][]State{Open: {Merged, Closed}, Closed: {Open}, Merged: nil}

// Proposal is a stored proposal.
type Proposal struct {
	ID             string
	OrganizationID string
	ProjectID      string
	Number         int64 // counts up in its project, from 1
	State          State
	Draft          bool
	Title          string
	Body           string // Markdown, untrusted
	Head           string // branch with the changes
	Base           string // branch they are for
	MergeCommit    string // "" until merged
	DecidedBy      string // who merged or closed it; "" while open
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Position is where a proposal's branch stands.
type Position struct {
	Commit string // its newest one
	Behind int    // how many commits the base has that the branch does not have; large numbers are cut
}

// CheckEdge refuses a change of state that does not exist.
func CheckEdge(from, to State) error {
	if slices.Contains(edges[from], to) {
		return nil
	}
	return fault.Newf(fault.Conflict, "wrong_state", "The proposal is %s and cannot become %s.", from, to)
}
