// Package pullpreview defines the preview that a pull request has by itself, from its opening to its end.
//
// Inputs: what code hosts report about pull requests, and how builds of them end.
// Outputs: what is shown on the code host: which build counts, why there is no preview, and what has yet to be reported.
// It does not know how a preview is built or how a code host is spoken to.
package pullpreview

import (
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
)

// State of the pull request.
type State string

// The states.
const (
	Open   State = "open"
	Merged State = "merged"
	Closed State = "closed"
)

// Refusal is why an open pull request has no preview; "" if it has one.
type Refusal string

// The refusals.
const (
	Limit       Refusal = "limit"       // the project has as many previews as it may
	Unfetchable Refusal = "unfetchable" // the code host has no ref for changes of a fork
	Unchanged   Refusal = "unchanged"   // it changes nothing in the docs folder
)

// DefaultMost is how many pull requests of a project have a preview at once, unless the operator says otherwise.
const DefaultMost = 20

// Preview is the preview of one pull request.
type Preview struct {
	ID             string // also of the task that reports it
	OrganizationID string
	ProjectID      string
	Number         int64
	URL            string
	Ref            string // branch of its deployments; "" if it cannot be fetched
	Base           string // branch that the changes are for; "" = the default branch
	Commit         string // head commit as the code host reported it; "" = not known
	Fork           bool
	State          State
	DeploymentID   string               // the newest; "" = there is none
	Outcome        deploy.Status        // how the last build ended; InProgress = none has, "" = nor is it admitted
	Changed        []deploy.ChangedPage // of the last build that succeeded
	Compared       *deploy.Comparison   // likewise; nil = it was not compared with the base
	Refused        Refusal
	CommentID      string // of the comment on the code host; "" = not known
	Wanted         int64  // number of the newest state that is to be reported
	Sent           int64  // and of the one that was
	Attempts       int    // reports that failed since the last that arrived
	Error          string // why the last report failed; "" = it arrived
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Pauses between attempts to report: twice as long each time. A code host that is away for longer than all of them
// together, about two days, gets the state with the next change.
const (
	firstPause   = 10 * time.Second
	LongestPause = time.Hour
	maxAttempts  = 60
)

// PauseAfter returns how long to wait after the nth failed attempt; asked is what the code host wants, random is 0 to 1
// and spreads attempts. last means that it was the last one.
func PauseAfter(n int, asked time.Duration, random float64) (pause time.Duration, last bool) {
	pause = LongestPause
	if n < 10 {
		pause = min(pause, firstPause<<max(n-1, 0))
	}
	pause = pause/2 + time.Duration(random*float64(pause/2))
	return min(max(pause, asked), LongestPause), n >= maxAttempts
}
