// Package agentjob is the agent job: its states and which state may follow which.
//
// In: requests to change a job's state.
// Out: a yes, or a conflict that names the state in the way.
// Never: what the agent does, a model or a code host.
package agentjob

import (
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/fault"
)

// Status of a job.
type Status string

// The statuses.
const (
	Active    Status = "active"
	Completed Status = "completed"
	Failed    Status = "failed"
	Archived  Status = "archived"
)

// edges lists what may follow each status: a finished job becomes active again by a message and archived by a call
// or by retention; an active one is archived by a call that stops the agent first.
var edges = map[Status][]Status{
	Active:    {Completed, Failed, Archived},
	Completed: {Active, Archived},
	Failed:    {Active, Archived},
	Archived:  nil,
}

// Job is an agent job.
type Job struct {
	ID             string
	OrganizationID string
	ProjectID      string
	Status         Status
	Repository     string
	Ref            string // branch the agent works on; "" until known
	Model          string
	PRLink         string // "" until the pull request exists
	CreatedAt      time.Time
	UpdatedAt      time.Time
	ArchivedAt     *time.Time // nil unless archived
}

// CheckEdge refuses a change of state that the specification does not have (J4).
func CheckEdge(from, to Status) error {
	if slices.Contains(edges[from], to) {
		return nil
	}
	return fault.Newf(fault.Conflict, "wrong_state", "The agent job is %s and cannot become %s.", from, to)
}
