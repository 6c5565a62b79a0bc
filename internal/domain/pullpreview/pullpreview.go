// Package pullpreview defines the automatic preview that a pull request has while it is open.
//
// Inputs: what code hosts report about pull requests, and the results of their builds. Outputs: what to show on the
// code host: which build counts, why there is no preview, and what still has to be reported. It does not depend on how
// previews are built, or on the protocols of code hosts.
package pullpreview

import (
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
)

// State is the state of the pull request.
type State string

// The states.
const (
	Open   State = "open"
	Merged State = "merged"
	Closed State = "closed"
)

// Refusal says why an open pull request has no preview; "" if it has one.
type Refusal string

// The refusals.
const (
	Limit       Refusal = "limit"       // the project has reached its limit of previews
	Unfetchable Refusal = "unfetchable" // the code host has no ref for changes from a fork
	Unchanged   Refusal = "unchanged"   // it changes nothing in the docs folder
)

// DefaultMost is the default limit on the number of pull requests with a preview, per project.
const DefaultMost = 20

// Preview is the preview of one pull request.
type Preview struct {
	ID             string // also the id of the task that reports it
	OrganizationID string
	ProjectID      string
	Number         int64
	URL            string
	Ref            string // branch of its deployments; "" if it cannot be fetched
	Base           string // target branch; "" = the default branch
	Commit         string // head commit as reported by the code host; "" = unknown
	Fork           bool
	State          State
	DeploymentID   string               // the newest one; "" = none
	Outcome        deploy.Status        // result of the last build; InProgress = no result yet, "" = not admitted yet
	Changed        []deploy.ChangedPage // of the last successful build
	Compared       *deploy.Comparison   // of the last successful build; nil = it was not compared with the base
	Refused        Refusal
	CommentID      string // of the comment on the code host; "" = unknown
	Wanted         int64  // number of the newest state to report
	Sent           int64  // number of the newest state that was reported
	Attempts       int    // failed reports since the last successful one
	Error          string // error of the last report; "" = it succeeded
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Pauses between attempts to report. They double each time. If a code host is unreachable for longer than all pauses
// together, which is about two days, the state is reported with the next change.
const (
	firstPause   = 10 * time.Second
	LongestPause = time.Hour
	maxAttempts  = 60
)

// PauseAfter returns the pause after the nth failed attempt. asked is the pause that the code host requested; random, 0
// to 1, spreads the attempts for different pull requests. last reports that there are no further attempts.
func PauseAfter(n int, asked time.Duration, random float64) (pause time.Duration, last bool) {
	pause = LongestPause
	if n < 10 {
		pause = min(pause, firstPause<<max(n-1, 0))
	}
	pause = pause/2 + time.Duration(random*float64(pause/2))
	return min(max(pause, asked), LongestPause), n >= maxAttempts
}
