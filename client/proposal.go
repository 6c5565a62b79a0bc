package client

import (
	"context"
	"net/http"
	"time"
)

// Proposal is a pull request on the embedded code host.
type Proposal struct {
	ID          string    `json:"id"`
	Number      int64     `json:"number"` // counts up in the project
	State       string    `json:"state"`  // open, merged or closed
	Draft       bool      `json:"draft"`
	Title       string    `json:"title"`
	Body        string    `json:"body"` // Markdown
	Head        string    `json:"head"` // branch with the changes
	Base        string    `json:"base"` // branch they are for
	MergeCommit *string   `json:"mergeCommit"`
	DecidedBy   *string   `json:"decidedBy"`  // nil while open
	Link        string    `json:"link"`       // its page
	PreviewURL  *string   `json:"previewUrl"` // the site with its changes; nil unless it is open and the preview is ready
	JobID       *string   `json:"jobId"`      // agent job that works on its branch; nil when there is none
	CreatedAt   time.Time `json:"createdAt"`
	UpdatedAt   time.Time `json:"updatedAt"`
}

// ProposalChanges is a proposal with what it changes.
type ProposalChanges struct {
	Proposal
	Files []ProposalFile `json:"files"` // nil when its branch is gone or it changes more than can be shown
	Patch *string        `json:"patch"` // nil then, and when it is too large for an answer
}

// ProposalFile is a file that a proposal changes.
type ProposalFile struct {
	Path    string `json:"path"`
	Change  string `json:"change"` // added, removed or changed
	Binary  bool   `json:"binary"`
	Added   int    `json:"added"` // lines
	Removed int    `json:"removed"`
}

// ProposalList is one page of proposals, newest first.
type ProposalList struct {
	Proposals  []Proposal `json:"proposals"`
	NextCursor *string    `json:"nextCursor"` // nil on the last page
}

// ListProposals lists a project's proposals.
func (c *Client) ListProposals(ctx context.Context, projectID string, page Page) (*ProposalList, error) {
	return get[ProposalList](ctx, c, page.query(), agentPath(projectID, "proposals")...)
}

// GetProposal reads a proposal with its changes.
func (c *Client) GetProposal(ctx context.Context, projectID, proposalID string) (*ProposalChanges, error) {
	return get[ProposalChanges](ctx, c, nil, agentPath(projectID, "proposal", proposalID)...)
}

// MergeProposal takes a proposal's changes over into the project's source.
func (c *Client) MergeProposal(ctx context.Context, projectID, proposalID string) (*Proposal, error) {
	return submit[Proposal](ctx, c, http.MethodPost, nil, nil, agentPath(projectID, "proposal", proposalID, "merge")...)
}

// CloseProposal puts a proposal aside.
func (c *Client) CloseProposal(ctx context.Context, projectID, proposalID string) (*Proposal, error) {
	return submit[Proposal](ctx, c, http.MethodPost, nil, nil, agentPath(projectID, "proposal", proposalID, "close")...)
}
