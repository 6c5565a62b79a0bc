// Package deploy defines deployments: one version of a site, from the request to publish it until a newer one
// replaces it.
//
// Inputs: an update or preview request, and what the publisher learned while working on it. Outputs: states (queued →
// in_progress → success or failure) and the manifest that maps paths to stored files. It does not depend on how files
// are fetched, built or stored.
package deploy

import (
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// Status is the status of a deployment, spelled as in the API.
type Status string

// The statuses; the only transitions are Queued → InProgress → Success or Failure.
const (
	Queued     Status = "queued"
	InProgress Status = "in_progress"
	Success    Status = "success"
	Failure    Status = "failure"
)

// Ended reports whether the status is final.
func (s Status) Ended() bool { return s == Success || s == Failure }

// Kind says where a deployment is served.
type Kind string

// The kinds: production is served on the project's domains, a preview on its own host.
const (
	Production Kind = "production"
	Preview    Kind = "preview"
)

// Features is the trigger of deployments that rebuild the live site because its features have changed. They use the
// stored copy of its source.
const Features = "features"

// Views is the trigger of deployments that rebuild the live site because readers requested a view that it does not
// have.
const Views = "views"

// Pull is the trigger of previews that are created automatically for a pull request. They are removed when it is
// closed.
const Pull = "pull_request"

// Confirmed is the trigger of updates whose caller has accepted that pages disappear.
const Confirmed = "confirmed"

// LogLine is one line of a deployment's log, which all members of the organization may see.
type LogLine struct {
	At      time.Time `json:"at"`
	Message string    `json:"message"`
}

// Change is a commit's metadata, with the files of the docs folder that differ from its parent.
type Change struct {
	Message   string   `json:"message,omitempty"`
	Author    string   `json:"author,omitempty"`   // name; "" = unknown
	Compared  bool     `json:"compared,omitempty"` // the files are known
	Added     []string `json:"added,omitempty"`
	Modified  []string `json:"modified,omitempty"`
	Removed   []string `json:"removed,omitempty"`
	Truncated bool     `json:"truncated,omitempty"` // there were more files
}

// Deployment is one attempt to publish a state of the source.
type Deployment struct {
	ID             string
	OrganizationID string
	ProjectID      string
	Kind           Kind
	Branch         string // "" = the project's branch
	Status         Status
	Commit         string // "" until the source has been fetched
	// the commit's metadata; zero until the source has been fetched, and for sources without commits
	Change      Change
	PageCount   int
	Logs        []LogLine
	Diagnostics diag.List
	Error       string    // message for the owner; "" unless failed
	ManifestKey string    // blob key; "" until the site is stored
	SnapshotKey string    // blob key of the source that was built; "" until the site is stored
	Trigger     string    // api, webhook, poll, start, merge, agent, Features, Views, Confirmed, Pull
	StartedBy   string    // id of the key or member that requested it; "" = nobody, or unknown
	Transient   bool      // it failed for a reason that may go away without a change to the source
	Versions    *Versions // versions built from branches and tags; nil = none
	// state of the translations of the default version; nil = one language
	Translations []Translation
	Offers       string // dynamic features that its pages were built with, see capability.Offers.String; "" = unknown
	// id of the only deployment that it may replace; "" = any older one. Not stored
	Replaces string
	// the pull request's changes for readers. Both fields are stored with its preview
	Changed    []ChangedPage
	Compared   *Comparison // nil = there is no base, so Changed compares with the live site
	RestoredBy string      // id of the key or member that last made it live by a rollback; "" = nobody
	RestoredAt *time.Time  // nil = never
	CreatedAt  time.Time
	UpdatedAt  time.Time
	EndedAt    *time.Time // nil until it has ended
}

// titleRunes limits Title, in characters, without the ellipsis.
const titleRunes = 199

// Title returns the first line of the commit's message for lists.
func (c Change) Title() string {
	line, _, _ := strings.Cut(strings.TrimSpace(c.Message), "\n")
	return clip.Runes(strings.TrimSpace(line), titleRunes)
}

// HostLabel returns the deployment's label in the host name of its preview. It differs from the id, because ids contain
// an underscore, which host names do not permit.
func HostLabel(deploymentID string) string { return strings.Replace(deploymentID, "_", "-", 1) }

// FromHostLabel reverses HostLabel.
func FromHostLabel(label string) string { return strings.Replace(label, "-", "_", 1) }
