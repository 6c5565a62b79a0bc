package agentjob

import (
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
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

// CheckEdge refuses a change of state that the specification does not have (J4).
func CheckEdge(from, to Status) error {
	if slices.Contains(edges[from], to) {
		return nil
	}
	return fault.Newf(fault.Conflict, "wrong_state", "The agent job is %s and cannot become %s.", from, to)
}

// Outcome says what came of a job's last round. The statuses are the specification's, and have one word for an agent
// that changed something and for one that did not understand a word.
type Outcome string

// The outcomes; "" = the round is under way.
const (
	Changed       Outcome = "changed"
	NothingToDo   Outcome = "nothing_to_do"
	NotUnderstood Outcome = "not_understood"
	NeedsAnswer   Outcome = "needs_answer"
	Broken        Outcome = "failed"
	Stopped       Outcome = "stopped"
)

// Unchanged lists the outcomes that an agent can give its work when it has changed nothing.
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
	Outcome        Outcome // what came of the newest round; "" while it is under way
	Repository     string
	Ref            string // branch the agent works on, lectern/… unless OnPull; "" until it has begun
	Base           string // branch it starts from and proposes to; "" = the project's
	// OnPull: the branch is that of a pull request which a person opened. The agent adds commits to it, and leaves the pull
	// request as it is.
	OnPull     bool
	Issue      int64 // that its pull request refers to; 0 = none
	Model      string
	Draft      bool   // the pull request is opened as a draft
	Title      string // first words of the prompt; once there is a pull request, its title
	Summary    string // what the agent says of its work; untrusted
	Error      string // why it failed, for its owner; "" unless it did; one that is archived afterwards keeps it
	PRLink     string // "" until the pull request exists
	PRNumber   int64  // 0 until then
	PRState    PullState
	Round      int    // counts up from 1 with each time the job became active
	BaseCommit string // what this round's changes are made on; "" until fetched
	HeadCommit string // what was pushed last; "" until then
	Used       Use
	CreatedAt  time.Time
	UpdatedAt  time.Time
	ArchivedAt *time.Time // nil unless archived
}

// Use is what a job has used up, in all its rounds.
type Use struct {
	Steps        int   // answers of the model
	InputTokens  int64 // cached ones too
	OutputTokens int64
	CostMicros   int64 // millionths of a US dollar, by the operator's prices; 0 where none are set
}

// Add sums two uses.
func (u Use) Add(v Use) Use {
	return Use{Steps: u.Steps + v.Steps, InputTokens: u.InputTokens + v.InputTokens,
		OutputTokens: u.OutputTokens + v.OutputTokens,
		CostMicros:   u.CostMicros + v.CostMicros}
}
