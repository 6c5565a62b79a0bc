package merge

import (
	"context"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/source/forge/local"
	"github.com/lectern-docs/lectern/internal/store"
)

// Ledger gives the embedded code host access to the proposals in the store.
type Ledger struct {
	Store *store.Store
	Now   func() time.Time
}

var _ local.Proposals = Ledger{}

// FindByHead returns the newest open proposal from a branch or, if none is open, the newest one.
func (l Ledger) FindByHead(ctx context.Context, projectID, head string) (proposal.Proposal, error) {
	return l.Store.FindProposalByHead(ctx, projectID, head)
}

// FindByNumber returns a proposal by its number within its project.
func (l Ledger) FindByNumber(ctx context.Context, projectID string, number int64) (proposal.Proposal, error) {
	return l.Store.FindProposalByNumber(ctx, projectID, number)
}

// Create stores an open proposal with its audit record.
func (l Ledger) Create(ctx context.Context, p proposal.Proposal) (made proposal.Proposal, err error) {
	err = l.Store.Tx(ctx, func(t *store.Tx) error {
		if made, err = t.CreateProposal(ctx, p); err != nil {
			return err
		}
		return t.Record(ctx, event.New(made.OrganizationID, "system", "proposal.open", made.ID, "", l.Now(),
			map[string]string{"project": made.ProjectID, "number": strconv.FormatInt(made.Number, 10),
				"head": made.Head, "base": made.Base}))
	})
	return made, err
}

// Update changes the title and text of a proposal.
func (l Ledger) Update(ctx context.Context, proposalID, title, body string, draft bool) (p proposal.Proposal,
	err error) {
	err = l.Store.Tx(ctx, func(t *store.Tx) error {
		p, err = t.UpdateProposal(ctx, proposalID, title, body, draft)
		return err
	})
	return p, err
}
