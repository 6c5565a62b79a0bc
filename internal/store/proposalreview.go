package store

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const commentColumns = `c.id, c.organization_id, c.proposal_id, c.file, c.side, c.line, c.last_line, c.quote, c.body,
	c.suggests, c.suggestion, c.commit_id, c.author, c.resolved_by, c.applied, c.created_at, c.updated_at`

func scanComment(s scanner) (proposal.Comment, error) {
	var c proposal.Comment
	var created, updated int64
	err := s.Scan(&c.ID, &c.OrganizationID, &c.ProposalID, &c.File, &c.Side, &c.Line, &c.Last, &c.Quote, &c.Body,
		&c.Suggests, &c.Suggestion, &c.Commit, &c.Author, &c.ResolvedBy, &c.Applied, &created, &updated)
	c.CreatedAt, c.UpdatedAt = fromMicros(created), fromMicros(updated)
	return c, err
}

// openProposal locks a proposal until the transaction ends. If the proposal is merged or closed, the error is a
// conflict, because such a proposal accepts no more comments or approvals.
func (t *Tx) openProposal(ctx context.Context, organizationID, proposalID string) error {
	state, err := single(ctx, t.q, value[string],
		`SELECT state FROM proposals WHERE organization_id = $1 AND id = $2`+t.forUpdate(), organizationID, proposalID)
	switch {
	case errors.Is(err, errNone):
		return errUnknownProposal
	case err != nil:
		return wrap("lock proposal", err)
	case proposal.State(state) != proposal.Open:
		return fault.Newf(fault.Conflict, "wrong_state", "The proposal is %s.", state)
	}
	return nil
}

// CreateProposalComment stores a comment on an open proposal, which can have up to proposal.MaxComments.
func (t *Tx) CreateProposalComment(ctx context.Context, c proposal.Comment) (proposal.Comment, error) {
	if err := t.openProposal(ctx, c.OrganizationID, c.ProposalID); err != nil {
		return c, err
	}
	n, err := single(ctx, t.q, value[int64], `SELECT count(*) FROM proposal_comments WHERE proposal_id = $1`,
		c.ProposalID)
	if err != nil {
		return c, wrap("count comments", err)
	}
	if n >= proposal.MaxComments {
		return c, fault.Newf(fault.Conflict, "too_many_comments", "The proposal already has %d comments.", n).
			WithHint("Send them to the agent, or merge or close the proposal.")
	}
	c.ID, c.CreatedAt, c.UpdatedAt, c.ResolvedBy, c.Applied = t.s.ids.New(id.Comment), t.now(), t.now(), "", ""
	c.File, c.Quote, c.Body = cleanText(c.File), cleanText(c.Quote), cleanText(c.Body)
	_, err = t.q.exec(ctx, `INSERT INTO proposal_comments (id, organization_id, proposal_id, file, side, line, last_line,
			quote, body, suggests, suggestion, commit_id, author, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)`, c.ID, c.OrganizationID,
		c.ProposalID, c.File, string(c.Side), c.Line, c.Last, c.Quote, c.Body, c.Suggests, c.Suggestion, c.Commit,
		c.Author, micros(c.CreatedAt))
	return c, wrap("store comment", err)
}

// ResolveProposalComment marks a comment as resolved by the given principal. If by is empty, it marks the comment as
// unresolved.
func (t *Tx) ResolveProposalComment(ctx context.Context, organizationID, proposalID, commentID,
	by string) (proposal.Comment, error) {
	return t.changeComment(ctx, organizationID, proposalID, commentID, `resolved_by = $4`, by)
}

// ApplyProposalComment records the commit that applied a comment's suggestion, and resolves the comment.
func (t *Tx) ApplyProposalComment(ctx context.Context, organizationID, proposalID, commentID, by,
	commit string) (proposal.Comment, error) {
	return t.changeComment(ctx, organizationID, proposalID, commentID, `resolved_by = $4, applied = $6`, by, commit)
}

func (t *Tx) changeComment(ctx context.Context, organizationID, proposalID, commentID, set, by string,
	more ...any) (proposal.Comment, error) {
	_, err := t.q.exec(ctx, `UPDATE proposal_comments SET `+set+`, updated_at = $5
		WHERE organization_id = $1 AND proposal_id = $2 AND id = $3`,
		append([]any{organizationID, proposalID, commentID, by, micros(t.now())}, more...)...)
	if err != nil {
		return proposal.Comment{}, wrap("change comment", err)
	}
	return t.FindProposalComment(ctx, organizationID, proposalID, commentID)
}

// FindProposalComment returns a comment on a proposal.
func (r reads) FindProposalComment(ctx context.Context, organizationID, proposalID,
	commentID string) (proposal.Comment, error) {
	c, err := single(ctx, r.q, scanComment, `SELECT `+commentColumns+` FROM proposal_comments c
		WHERE c.organization_id = $1 AND c.proposal_id = $2 AND c.id = $3`, organizationID, proposalID, commentID)
	if errors.Is(err, errNone) {
		return c, fault.New(fault.NotFound, "unknown_comment", "Comment not found.")
	}
	return c, wrap("find comment", err)
}

// ListProposalComments returns all comments on a proposal, oldest first.
func (r reads) ListProposalComments(ctx context.Context, organizationID, proposalID string) ([]proposal.Comment,
	error) {
	list, err := collect(ctx, r.q, scanComment, `SELECT `+commentColumns+` FROM proposal_comments c
		WHERE c.organization_id = $1 AND c.proposal_id = $2 ORDER BY c.created_at, c.id LIMIT $3`, organizationID,
		proposalID, proposal.MaxComments)
	return list, wrap("list comments", err)
}

// ApproveProposal records an approval of an open proposal at a certain commit. It replaces an approval of an earlier
// commit by the same author.
func (t *Tx) ApproveProposal(ctx context.Context, a proposal.Approval) error {
	if err := t.openProposal(ctx, a.OrganizationID, a.ProposalID); err != nil {
		return err
	}
	_, err := t.q.exec(ctx, `INSERT INTO proposal_approvals (proposal_id, organization_id, author, commit_id, created_at)
		VALUES ($1, $2, $3, $4, $5) ON CONFLICT (proposal_id, author) DO UPDATE SET commit_id = $4, created_at = $5`,
		a.ProposalID, a.OrganizationID, a.Author, a.Commit, micros(t.now()))
	return wrap("store approval", err)
}

// maxApprovals is the maximum number of approvals to list.
const maxApprovals = 100

// ListProposalApprovals returns each author's latest approval of a proposal.
func (r reads) ListProposalApprovals(ctx context.Context, organizationID, proposalID string) ([]proposal.Approval,
	error) {
	list, err := collect(ctx, r.q, func(s scanner) (a proposal.Approval, err error) {
		var created int64
		err = s.Scan(&a.ProposalID, &a.OrganizationID, &a.Author, &a.Commit, &created)
		a.CreatedAt = fromMicros(created)
		return a, err
	}, `SELECT proposal_id, organization_id, author, commit_id, created_at FROM proposal_approvals
		WHERE organization_id = $1 AND proposal_id = $2 ORDER BY created_at DESC, author LIMIT $3`, organizationID,
		proposalID, maxApprovals)
	return list, wrap("list approvals", err)
}
