package deploy

import "github.com/lectern-docs/lectern/internal/foundation/diag"

// ChangedPage is a page of a preview that differs from the base of its pull request, or from the live site if there
// is no base.
type ChangedPage struct {
	Path string `json:"path"`
	How  string `json:"how"`            // added, changed, removed, moved
	From string `json:"from,omitempty"` // old path of a page that was moved
	Diff bool   `json:"diff,omitempty"` // the preview has a page at ChangesPath that shows both versions
}

// ChangesPath returns the path at which a preview shows the changes to a page.
func ChangesPath(page string) string { return "_lectern/changes/" + page }

// The kinds of differences between pages.
const (
	PageAdded   = "added"
	PageChanged = "changed"
	PageRemoved = "removed"
	PageMoved   = "moved"
)

// LostAddress is the code of a finding about a published address that no longer exists.
const LostAddress = "lost-address"

// Comparison compares a pull request with the commit where its branch started.
type Comparison struct {
	Base     string    `json:"base"`     // commit
	Errors   int       `json:"errors"`   // new ones, including those that are not in Findings
	Warnings int       `json:"warnings"` // new ones, including those that are not in Findings
	Known    int       `json:"known"`    // findings that the base already has
	Lost     int       `json:"lost"`     // addresses that no longer exist; each is an error
	Findings diag.List `json:"findings"` // new ones, errors first; truncated if there are many
}
