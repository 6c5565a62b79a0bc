package deploy

import "github.com/lectern-docs/lectern/internal/foundation/diag"

// ChangedPage is a page of a preview that differs from the base of its pull request, or from the live site if there is
// no base.
type ChangedPage struct {
	Path string `json:"path"`
	How  string `json:"how"`            // added, changed, removed, moved
	From string `json:"from,omitempty"` // path of a page that moved, before
	Diff bool   `json:"diff,omitempty"` // the preview has a page that shows both states, at ChangesPath
}

// ChangesPath returns the path of the page of a preview that shows what a pull request changes in a page.
func ChangesPath(page string) string { return "_lectern/changes/" + page }

// How pages differ.
const (
	PageAdded   = "added"
	PageChanged = "changed"
	PageRemoved = "removed"
	PageMoved   = "moved"
)

// LostAddress is the code of a finding about an address that was published and leads nowhere.
const LostAddress = "lost-address"

// Comparison is what a pull request brings, compared with the commit that it began at.
type Comparison struct {
	Base     string    `json:"base"`     // commit
	Errors   int       `json:"errors"`   // new ones, also those that are not in Findings
	Warnings int       `json:"warnings"` // likewise
	Known    int       `json:"known"`    // findings that the base has too
	Lost     int       `json:"lost"`     // addresses that lead nowhere now; each is an error
	Findings diag.List `json:"findings"` // new ones, errors first, not all if there are many
}
