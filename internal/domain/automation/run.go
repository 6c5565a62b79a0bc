package automation

import (
	"fmt"
	"time"
)

// Cause says what requested a run.
type Cause string

// The causes.
const (
	BySchedule Cause = "schedule"
	ByCall     Cause = "call"    // a call of the workflow operation
	ByPush     Cause = "push"    // a push to a product repository
	ByAPI      Cause = "api"     // a push or publication that touches an API description, or a change to a remote one
	ByRelease  Cause = "release" // a release of a product repository
	// ByPublication is a publication of the site.
	ByPublication Cause = "publication"
	ByComment     Cause = "comment"
	ByLabel       Cause = "label"
	ByPerson      Cause = "person" // in the dashboard, on the command line or through the API operation for running it
)

// Decision is the decision about a run.
type Decision string

// The decisions.
const (
	Started    Decision = "started"
	Skipped    Decision = "skipped"
	WouldStart Decision = "would_start" // dry run
)

// Reason says why a run was skipped.
type Reason string

// The reasons.
const (
	Off          Reason = "off"           // the automation is turned off
	DailyLimit   Reason = "daily_limit"   // it has reached its limit of jobs
	AgentWorking Reason = "agent_working" // its last job is still active
	OpenProposal Reason = "open_proposal" // its last proposal is neither merged nor closed
	NothingNew   Reason = "nothing_new"   // the trigger's condition is not met
	NotAllowed   Reason = "not_allowed"   // the requester may not write to the repository, or their permissions are unknown
	NotPossible  Reason = "not_possible"  // the branch of the pull request cannot be changed, or the comment contains no request
	Refused      Reason = "refused"       // the server accepts no job: no agent is configured, or the project has too many jobs
)

// Run is an entry of an automation's log.
type Run struct {
	ID           string
	AutomationID string
	Cause        Cause
	Actor        string // key or member that requested it; "" = the schedule
	Decision     Decision
	Reason       Reason // "" unless it was skipped
	Detail       string // a sentence for people
	Context      string // text by readers or others that is passed to the agent with the prompt; untrusted; "" = none
	JobID        string // "" unless a job was started
	At           time.Time
}

// Past describes what an automation has done so far.
type Past struct {
	Today   int    // jobs that it started within the last 24 hours
	Working string // id of its active job; "" = none
	Open    string // URL of an open pull request of its jobs; "" = none
}

// Decide reports whether the automation may start now, or why it may not. A dry run has no limits, because it
// starts nothing.
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
