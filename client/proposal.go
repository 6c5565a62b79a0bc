package client

import (
	"context"
	"net/http"
)

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
