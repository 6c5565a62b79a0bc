package store

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const proposalColumns = `p.id, p.organization_id, p.project_id, p.number, p.state, p.as_draft, p.title, p.body, ` +
	`p.head, p.base, p.merge_commit,
	p.decided_by, p.created_at, p.updated_at`

func scanProposal(s scanner) (proposal.Proposal, error) {
	var p proposal.Proposal
	var created, updated int64
	err := s.Scan(&p.ID, &p.OrganizationID, &p.ProjectID, &p.Number, &p.State, &p.Draft, &p.Title, &p.Body, &p.Head,
		&p.Base, &p.MergeCommit, &p.DecidedBy,
		&created, &updated)
	p.CreatedAt, p.UpdatedAt = fromMicros(created), fromMicros(updated)
	return p, err
}

var errUnknownProposal = fault.New(fault.NotFound, "unknown_proposal", "Proposal not found.")

// CreateProposal stores an open proposal under the project's next number. If the branch already has an open proposal,
// the error is a conflict.
func (t *Tx) CreateProposal(ctx context.Context, p proposal.Proposal) (proposal.Proposal, error) {
	// Because of the lock, concurrent proposals get consecutive numbers.
	if _, err := single(ctx, t.q, value[string],
		`SELECT id FROM projects WHERE organization_id = $1 AND id = $2`+t.forUpdate(), p.OrganizationID,
		p.ProjectID); errors.Is(err, errNone) {
		return p, errUnknownProject
	} else if err != nil {
		return p, wrap("lock project", err)
	}
	last, err := single(ctx, t.q, value[int64], `SELECT COALESCE(max(number), 0) FROM proposals WHERE project_id = $1`,
		p.ProjectID)
	if err != nil {
		return p, wrap("count proposals", err)
	}
	p = proposal.Proposal{ID: t.s.ids.New(id.Proposal), OrganizationID: p.OrganizationID, ProjectID: p.ProjectID,
		Number: last + 1, State: proposal.Open,
		Draft: p.Draft,
		Title: cleanText(p.Title), Body: cleanText(p.Body), Head: p.Head, Base: p.Base, CreatedAt: t.now(),
		UpdatedAt: t.now()}
	n,
		err := t.q.exec(ctx,
		`INSERT INTO proposals (id, organization_id, project_id, number, state, as_draft, title, body, head, base, created_at, updated_at)
		VALUES ($1, $2, $3, $4, 'open', $5, $6, $7, $8, $9, $10, $10) ON CONFLICT DO NOTHING`,
		p.ID, p.OrganizationID, p.ProjectID, p.Number, p.Draft, p.Title, p.Body, p.Head, p.Base, micros(p.CreatedAt))
	if err == nil && n == 0 {
		return p, errHeadTaken(p.Head)
	}
	return p, wrap("store proposal", err)
}

func errHeadTaken(head string) error {
	return fault.Newf(fault.Conflict, "proposal_open", "The branch %s already has an open proposal.", head)
}

// UpdateProposal changes the title, the text and the draft state of a proposal that is not merged.
func (t *Tx) UpdateProposal(ctx context.Context, proposalID, title, body string, draft bool) (proposal.Proposal,
	error) {
	n,
		err := t.q.exec(ctx,
		`UPDATE proposals SET title = $2, body = $3, as_draft = $4, updated_at = $5 WHERE id = $1 AND state <> 'merged'`,
		proposalID, cleanText(title), cleanText(body), draft, micros(t.now()))
	if err != nil {
		return proposal.Proposal{}, wrap("update proposal", err)
	}
	p, err := t.FindProposal(ctx, proposalID)
	if err == nil && n == 0 {
		return p, fault.Newf(fault.Conflict, "wrong_state", "The proposal is %s and cannot be changed.", p.State)
	}
	return p, err
}

// MoveProposal changes the state of a proposal from p.State to to. by is the principal who decided this, and
// mergeCommit is the commit that a merge created. Reopening a proposal clears both. If the stored state is no longer
// p.State, the error is a conflict.
func (t *Tx) MoveProposal(ctx context.Context, p proposal.Proposal, to proposal.State, by,
	mergeCommit string) (proposal.Proposal, error) {
	if err := proposal.CheckEdge(p.State, to); err != nil {
		return p, err
	}
	if to == proposal.Open {
		by = ""
	}
	if to != proposal.Merged {
		mergeCommit = ""
	}
	n,
		err := t.q.exec(ctx,
		`UPDATE proposals SET state = $3, decided_by = $4, merge_commit = $5, updated_at = $6 WHERE id = $1 AND state = $2`,
		p.ID, string(p.State), string(to), cleanText(by), mergeCommit, micros(t.now()))
	if isUnique(err) {
		return p, errHeadTaken(p.Head)
	}
	if err != nil {
		return p, wrap("move proposal", err)
	}
	if n == 0 {
		if _, err := t.FindProposal(ctx, p.ID); err != nil {
			return p, err
		}
		return p, fault.New(fault.Conflict, "wrong_state", "The proposal's state has changed in the meantime.")
	}
	return t.FindProposal(ctx, p.ID)
}

// FindProposal returns a proposal in any organization by id. The caller must check permissions.
func (r reads) FindProposal(ctx context.Context, proposalID string) (proposal.Proposal, error) {
	return r.oneProposal(ctx, `p.id = $1`, proposalID)
}

// FindProposalByHead returns the newest proposal for a branch of a project. An open proposal takes precedence.
func (r reads) FindProposalByHead(ctx context.Context, projectID, head string) (proposal.Proposal, error) {
	return r.oneProposal(ctx,
		`p.project_id = $1 AND p.head = $2 ORDER BY CASE WHEN p.state = 'open' THEN 0 ELSE 1 END, p.number DESC LIMIT 1`, projectID, head)
}

// FindProposalByNumber returns a proposal by its number in the project.
func (r reads) FindProposalByNumber(ctx context.Context, projectID string, number int64) (proposal.Proposal, error) {
	return r.oneProposal(ctx, `p.project_id = $1 AND p.number = $2`, projectID, number)
}

func (r reads) oneProposal(ctx context.Context, where string, args ...any) (proposal.Proposal, error) {
	p, err := single(ctx, r.q, scanProposal, `SELECT `+proposalColumns+` FROM proposals p WHERE `+where, args...)
	if errors.Is(err, errNone) {
		return p, errUnknownProposal
	}
	return p, wrap("find proposal", err)
}

// ListProposals returns a page of a project's proposals, newest first.
func (r reads) ListProposals(ctx context.Context, organizationID, projectID string, pg Page) ([]proposal.Proposal,
	string, error) {
	at, after, err := pg.place()
	if err != nil {
		return nil, "", err
	}
	list, err := collect(ctx, r.q, scanProposal,
		`SELECT `+proposalColumns+` FROM proposals p WHERE p.organization_id = $1 AND p.project_id = $2
		AND (p.created_at, p.id) < ($3, $4)
		ORDER BY p.created_at DESC, p.id DESC LIMIT $5`, organizationID, projectID, at, after, pg.Limit+1)
	if err != nil {
		return nil, "", wrap("list proposals", err)
	}
	list, next := cut(list, pg.Limit, func(p proposal.Proposal) (int64, string) { return micros(p.CreatedAt), p.ID })
	return list, next, nil
}
