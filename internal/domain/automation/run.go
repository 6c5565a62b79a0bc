package automation

import (
	"fmt"
	"time"
)

// Cause is what asked for a run.
type Cause string

// The causes.
const (
	BySchedule Cause = "schedule"
	ByCall     Cause = "call"    // of the workflow operation
	ByPush     Cause = "push"    // to a product repository
	ByAPI      Cause = "api"     // a push to a product repository that touches an API description
	ByRelease  Cause = "release" // of a product repository
	// ByPublication is a publication of the site.
	ByPublication Cause = "publication"
	ByComment     Cause = "comment"
	ByLabel       Cause = "label"
	ByPerson      Cause = "person" // in the dashboard, on the command line or with the operation that runs it
)

// Decision is what was decided about a run.
type Decision string

// The decisions.
const (
	Started    Decision = "started"
	Skipped    Decision = "skipped"
	WouldStart Decision = "would_start" // it was a dry run
)

// Reason says why a run was skipped.
type Reason string

// The reasons.
const (
	Off          Reason = "off"           // the automation is turned off
	DailyLimit   Reason = "daily_limit"   // it started as many jobs as it may
	AgentWorking Reason = "agent_working" // its last job is not done
	OpenProposal Reason = "open_proposal" // what it proposed last is neither merged nor closed
	NothingNew   Reason = "nothing_new"   // what it waits for is not there, or too little of it
	NotAllowed   Reason = "not_allowed"   // whoever asked may not write to the repository, or the code host does not say
	NotPossible  Reason = "not_possible"  // the branch of the pull request cannot be changed, or the comment asks for nothing
	Refused      Reason = "refused"       // the server takes no job: no agent, or too many jobs in the project
)

// Run is an entry of an automation's log.
type Run struct {
	ID           string
	AutomationID string
	Cause        Cause
	Actor        string // key or member who asked; "" = the schedule did
	Decision     Decision
	Reason       Reason // "" unless it was skipped
	Detail       string // a sentence for people
	Context      string // what readers or others wrote that the agent gets besides the prompt; untrusted; "" = nothing
	JobID        string // "" unless a job was started
	At           time.Time
}

// Past is what an automation did before.
type Past struct {
	Today   int    // jobs that it started within the last 24 hours
	Working string // id of a job that is active; "" = none
	Open    string // address of a pull request of its jobs that is open; "" = none
}

// Decide reports why the automation may not start now; ok = it may. A dry run has no limits, for it starts nothing.
func (a Automation) Decide(past Past, dry bool) (why Reason, detail string, ok bool) {
	switch {
	case dry:
		return "", "", true
	case !a.Enabled:
		return Off, "The automation is turned off.", false
	case past.Working != "":
		return AgentWorking, fmt.Sprintf("Job %s of this automation is still active.", past.Working), false
	case past.Open != "" && !a.Trigger.Discussed():
		return OpenProposal, fmt.Sprintf("Its proposal %s is still open: merge or close it first.", past.Open), false
	case past.Today >= a.MaxPerDay:
		return DailyLimit, fmt.Sprintf("It has started %d of at most %d jobs within 24 hours.", past.Today, a.MaxPerDay), false
	}
	return "", "", true
}
