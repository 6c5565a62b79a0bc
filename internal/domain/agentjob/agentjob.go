package agentjob

import (
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Status is the status of a job.
type Status string

// The statuses.
const (
	Active    Status = "active"
	Completed Status = "completed"
	Failed    Status = "failed"
	Archived  Status = "archived"
)

// edges lists the permitted transitions. A finished job becomes active again when it gets a message. It is archived on
// request or when its retention period ends. Archiving an active job stops the agent first.
var edges = map[Status][]Status{
	Active:    {Completed, Failed, Archived},
	Completed: {Active, Archived},
	Failed:    {Active, Archived},
	Archived:  nil,
}

// CheckEdge refuses a transition that the specification does not permit (J4).
func CheckEdge(from, to Status) error {
	if slices.Contains(edges[from], to) {
		return nil
	}
	return fault.Newf(fault.Conflict, "wrong_state", "The agent job is %s and cannot become %s.", from, to)
}

// Outcome is the result of a job's last round. It is needed because the specification has only one status for an agent
// that changed something and for one that did not understand the request.
type Outcome string

// The outcomes; "" = the round is in progress.
const (
	Changed       Outcome = "changed"
	WouldChange   Outcome = "would_change" // a dry run whose changes would have been proposed
	NothingToDo   Outcome = "nothing_to_do"
	NotUnderstood Outcome = "not_understood"
	NeedsAnswer   Outcome = "needs_answer"
	Broken        Outcome = "failed"
	Stopped       Outcome = "stopped"
)

// Unchanged lists the outcomes that an agent can report if it has changed nothing.
func Unchanged() []Outcome { return []Outcome{NothingToDo, NotUnderstood, NeedsAnswer} }

// PullState is the state of a job's pull request.
type PullState string

// The states; "" = no pull request.
const (
	PullOpen   PullState = "open"
	PullMerged PullState = "merged"
	PullClosed PullState = "closed"
)

// Job is an agent job.
type Job struct {
	ID             string
	OrganizationID string
	ProjectID      string
	Status         Status
	Outcome        Outcome // outcome of the latest round; "" while it is in progress
	Repository     string
	Ref            string // branch that the agent works on, lectern/… unless OnPull is set; "" until work starts
	Base           string // branch it starts from and proposes to; "" = the project's branch
	// OnPull means that the branch belongs to a pull request that a person opened. The agent adds commits to it, but
	// does not change the pull request.
	OnPull     bool
	Issue      int64 // the issue that its pull request refers to; 0 = none
	Model      string
	Draft      bool   // the pull request is opened as a draft
	DryRun     bool   // the changes are checked and recorded, but never pushed or proposed
	Title      string // first words of the prompt; once there is a pull request, its title
	Summary    string // the agent's description of its work; untrusted
	Error      string // reason of a failure, for the owner; kept when the job is archived
	PRLink     string // "" until the pull request exists
	PRNumber   int64  // 0 until then
	PRState    PullState
	Round      int    // incremented each time the job becomes active, starting at 1
	BaseCommit string // commit that this round's changes are based on; "" until fetched
	HeadCommit string // last pushed commit; "" until then
	Used       Use
	CreatedAt  time.Time
	UpdatedAt  time.Time
	ArchivedAt *time.Time // nil unless archived
}

// Use holds the resources that a job has used in all its rounds.
type Use struct {
	Steps        int   // responses of the model
	InputTokens  int64 // including cached ones
	OutputTokens int64
	CostMicros   int64 // millionths of a US dollar, at the prices that the operator set; 0 if none are set
}

// Add returns the sum of u and v.
func (u Use) Add(v Use) Use {
	return Use{Steps: u.Steps + v.Steps, InputTokens: u.InputTokens + v.InputTokens,
		OutputTokens: u.OutputTokens + v.OutputTokens,
		CostMicros:   u.CostMicros + v.CostMicros}
}
