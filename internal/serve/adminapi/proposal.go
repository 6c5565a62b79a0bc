package adminapi

import (
	"context"
	"net/http"
	"strconv"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// Merger merges and closes proposals on the embedded code host and lists their changes. by and requestID are for the
// audit record, which is stored with the result. Repeating a call is harmless.
type Merger interface {
	Merge(ctx context.Context, proposalID, by, requestID string) (proposal.Proposal, error)
	Close(ctx context.Context, proposalID, by, requestID string) (proposal.Proposal, error)
	// Changes also returns the branch position, even if there are too many changes to list.
	Changes(ctx context.Context, proposalID string) ([]draft.Change, proposal.Position, error)
}

// maxPatch is the maximum size of a patch in a response, in bytes.
const maxPatch = 8 << 20

func (a *api) showProposal(c *call, p proposal.Proposal) (client.Proposal, error) {
	out := client.Proposal{ID: p.ID, Number: p.Number, State: string(p.State), Draft: p.Draft, Title: p.Title,
		Body: p.Body, Head: p.Head, Base: p.Base,
		MergeCommit: orNull(p.MergeCommit), DecidedBy: orNull(p.DecidedBy), Link: a.baseURL(c) +
			proposal.Page(p.ProjectID, p.ID),
		CreatedAt: stamp(p.CreatedAt), UpdatedAt: stamp(p.UpdatedAt)}
	job, err := a.Store.FindAgentJobByPastBranch(c.ctx(), p.ProjectID, p.Head)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return out, err
	}
	out.JobID = orNull(job.ID)
	out.PreviewURL, err = a.proposalPreview(c, p)
	return out, err
}

// withChanges copies a proposal to the type that also has its changes.
func withChanges(p client.Proposal) client.ProposalChanges {
	return client.ProposalChanges{ID: p.ID, Number: p.Number, State: p.State, Draft: p.Draft, Title: p.Title,
		Body: p.Body, Head: p.Head,
		Base: p.Base, MergeCommit: p.MergeCommit, DecidedBy: p.DecidedBy, Link: p.Link, PreviewURL: p.PreviewURL,
		JobID:     p.JobID,
		CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt}
}

// proposalPreview returns the preview URL of an open proposal; nil if there is none.
func (a *api) proposalPreview(c *call, p proposal.Proposal) (*string, error) {
	if p.State != proposal.Open {
		return nil, nil
	}
	d, err := a.Store.FindPreview(c.ctx(), p.ProjectID, p.Head)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return nil, err
	}
	if d.Status != deploy.Success {
		return nil, nil
	}
	return orNull(a.PreviewURL(d.ID)), nil
}

func showProposalFile(ch draft.Change) client.ProposalFile {
	f := client.ProposalFile{Path: ch.Path, Change: ch.Kind(), From: orNull(ch.From), Binary: !ch.Text()}
	for _, h := range ch.Hunks() {
		for _, l := range h.Lines {
			switch l.Kind {
			case '+':
				f.Added++
			case '-':
				f.Removed++
			}
		}
	}
	return f
}

// findProposal returns the proposal in the path. Another project's proposal is reported as not found.
func (a *api) findProposal(c *call) (proposal.Proposal, error) {
	p, err := a.Store.FindProposal(c.ctx(), c.pathID("proposalId", id.Proposal))
	if err != nil && !fault.Is(err, fault.NotFound) {
		return p, err
	}
	if err != nil || p.OrganizationID != c.org() || p.ProjectID != c.pathID("projectId", id.Project) {
		return p, fault.New(fault.NotFound, "unknown_proposal", "Proposal not found.")
	}
	if a.Merger == nil {
		return p, fault.New(fault.Forbidden, "feature_unavailable", "The embedded code host is turned off on this server.")
	}
	return p, nil
}

// proposalEvent returns the audit record of an action on a proposal.
func (a *api) proposalEvent(c *call, p proposal.Proposal, action string, more map[string]string) event.Event {
	data := map[string]string{"project": p.ProjectID, "number": strconv.FormatInt(p.Number, 10)}
	for k, v := range more {
		data[k] = v
	}
	return a.event(c, action, p.ID, data)
}

func (a *api) listProposals(c *call) (response, error) {
	p, err := c.page()
	if err != nil {
		return response{}, err
	}
	of, err := a.Store.FindProject(c.ctx(), c.org(), c.pathID("projectId", id.Project))
	if err != nil {
		return response{}, err
	}
	list, next, err := a.Store.ListProposals(c.ctx(), c.org(), of.ID, p)
	if err != nil {
		return response{}, err
	}
	body := client.ProposalList{Proposals: []client.Proposal{}, NextCursor: orNull(next)}
	for _, one := range list {
		shown, err := a.showProposal(c, one)
		if err != nil {
			return response{}, err
		}
		body.Proposals = append(body.Proposals, shown)
	}
	return response{status: http.StatusOK, body: body}, nil
}

func (a *api) getProposal(c *call) (response, error) {
	p, err := a.findProposal(c)
	if err != nil {
		return response{}, err
	}
	shown, err := a.showProposal(c, p)
	if err != nil {
		return response{}, err
	}
	out := withChanges(shown)
	changes, at, err := a.Merger.Changes(c.ctx(), p.ID)
	unseen := fault.Is(err, fault.NotFound) || fault.Is(err, fault.TooLarge) // no branch, or too many changes to show
	if err != nil && !unseen {
		return response{}, err
	}
	out.HeadCommit, out.Behind = orNull(at.Commit), at.Behind
	if err := a.addReview(c, p, &out, changes, at); err != nil || unseen {
		return response{status: http.StatusOK, body: out}, err
	}
	out.Files = []client.ProposalFile{}
	for _, one := range changes {
		out.Files = append(out.Files, showProposalFile(one))
	}
	if patch := draft.Patch(changes); len(patch) <= maxPatch {
		out.Patch = &patch
	}
	return response{status: http.StatusOK, body: out}, nil
}

func (a *api) mergeProposal(c *call) (response, error) { return a.decideProposal(c, Merger.Merge) }

func (a *api) closeProposal(c *call) (response, error) { return a.decideProposal(c, Merger.Close) }

func (a *api) decideProposal(c *call, decide func(m Merger, ctx context.Context, proposalID, by,
	requestID string) (proposal.Proposal, error)) (response, error) {
	p, err := a.findProposal(c)
	if err != nil {
		return response{}, err
	}
	if p, err = decide(a.Merger, c.ctx(), p.ID, c.principal.Actor(), c.requestID); err != nil {
		return response{}, err
	}
	shown, err := a.showProposal(c, p)
	return response{status: http.StatusOK, body: shown}, err
}
