// Package deploy defines deployments: one version of a site, from the request to publish it until a newer one replaces
// it.
//
// Inputs: an update or preview request, and what the publisher learned while working on it.
// Outputs: states (queued → in_progress → success or failure) and the manifest that maps paths to stored files.
// It does not know how files are fetched, built or stored.
package deploy

import (
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// Status of a deployment, spelt as the API shows it.
type Status string

// The statuses; the only edges are Queued → InProgress → Success or Failure.
const (
	Queued     Status = "queued"
	InProgress Status = "in_progress"
	Success    Status = "success"
	Failure    Status = "failure"
)

// Ended reports whether no edge leaves the status.
func (s Status) Ended() bool { return s == Success || s == Failure }

// Kind says where a deployment is shown.
type Kind string

// The kinds: production answers on the project's domains, a preview on a host of its own.
const (
	Production Kind = "production"
	Preview    Kind = "preview"
)

// Features is the trigger of deployments that rebuild the live site with other features, from the stored copy of its
// source.
const Features = "features"

// Views is the trigger of deployments that rebuild the live site because readers asked for a view that it does not have.
const Views = "views"

// Pull is the trigger of previews that a pull request has by itself. They go when it is closed.
const Pull = "pull_request"

// Confirmed is the trigger of updates whose caller accepts that pages vanish.
const Confirmed = "confirmed"

// LogLine is one line of a deployment's log; it is public to the organization.
type LogLine struct {
	At      time.Time `json:"at"`
	Message string    `json:"message"`
}

// Change is a commit's metadata, and the files of the docs folder that differ from the commit before.
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
	Branch         string // "" = the project's own
	Status         Status
	Commit         string // "" until the source is fetched
	// the commit's own data; zero until the source is fetched, and for sources without commits
	Change      Change
	PageCount   int
	Logs        []LogLine
	Diagnostics diag.List
	Error       string    // public sentence; "" unless failed
	ManifestKey string    // blob key; "" until the site is stored
	SnapshotKey string    // blob key of the source as it was built; "" until the site is stored
	Trigger     string    // api, webhook, poll, start, merge, agent, Features, Views, Confirmed, Pull
	StartedBy   string    // id of the key or member who asked for it; "" = nobody did, or it is not known
	Transient   bool      // it failed for a reason that may go away without a change of the source
	Versions    *Versions // from branches and tags; nil = the site has none
	// how far the translations of the default version are; nil = it has one language
	Translations []Translation
	Offers       string // what its pages offer, as offer.Offers writes itself; "" = unknown
	// id of the one deployment that it may take the place of; "" = of any that is older. Not stored
	Replaces string
	// what a pull request changes for readers. Both are stored with its preview
	Changed    []ChangedPage
	Compared   *Comparison // nil = there is no base, so that Changed compares with the live site
	RestoredBy string      // id of the key or member who last made it live by a roll-back; "" = nobody did
	RestoredAt *time.Time  // nil = never
	CreatedAt  time.Time
	UpdatedAt  time.Time
	EndedAt    *time.Time // nil until it ended
}

// titleRunes bounds Title in characters, without the one that shows where it was cut.
const titleRunes = 199

// Title returns the first line of the commit's message, as lists show it.
func (c Change) Title() string {
	line, _, _ := strings.Cut(strings.TrimSpace(c.Message), "\n")
	return clip.Runes(strings.TrimSpace(line), titleRunes)
}

// HostLabel returns the deployment's label in the host name of its preview: ids have an underscore, host names must
// not.
func HostLabel(deploymentID string) string { return strings.Replace(deploymentID, "_", "-", 1) }

// FromHostLabel reverses HostLabel.
func FromHostLabel(label string) string { return strings.Replace(label, "-", "_", 1) }
