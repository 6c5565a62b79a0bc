package adminapi

import (
	"context"
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/store"
)

// Reviewer adds requested commits to proposals' branches. by and requestID are for the audit record, which is stored
// with the result.
type Reviewer interface {
	// Apply commits the edit suggested by a comment.
	Apply(ctx context.Context, proposalID, commentID, by, requestID string) (proposal.Comment, error)
	// Update merges the base into the branch.
	Update(ctx context.Context, proposalID, by, requestID string) (proposal.Proposal, error)
	// Keep reverts the changes to all files except the given ones. seen is the commit that the user reviewed.
	Keep(ctx context.Context, proposalID string, files []string, seen, by, requestID string) (proposal.Proposal, error)
}

func (a *api) applyProposalSuggestion(c *call) (response, error) {
	p, err := a.findProposal(c)
	if err != nil {
		return response{}, err
	}
	cm, err := a.Store.FindProposalComment(c.ctx(), c.org(), p.ID, c.pathID("commentId", id.Comment))
	if err != nil {
		return response{}, err
	}
	if cm, err = a.Reviewer.Apply(c.ctx(), p.ID, cm.ID, c.principal.Actor(), c.requestID); err != nil {
		return response{}, err
	}
	return a.commentResponse(c, http.StatusOK, cm, nil, nil)
}

func (a *api) updateProposalBranch(c *call) (response, error) {
	p, err := a.findProposal(c)
	if err != nil {
		return response{}, err
	}
	if p, err = a.Reviewer.Update(c.ctx(), p.ID, c.principal.Actor(), c.requestID); err != nil {
		return response{}, err
	}
	shown, err := a.showProposal(c, p)
	return response{status: http.StatusOK, body: shown}, err
}

// maxKept is the maximum number of files to keep.
const maxKept = 1000

func (a *api) keepProposalFiles(c *call) (response, error) {
	var in struct {
		Files  []string `json:"files" required:"true"`
		Commit string   `json:"commit" required:"true"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	switch {
	case len(in.Files) == 0 || len(in.Files) > maxKept:
		return response{}, fault.Newf(fault.Invalid, "invalid_field", "files must have 1 to %d paths.", maxKept).
			WithField("files")
	case in.Commit == "":
		return response{}, fault.New(fault.Invalid, "invalid_field", "commit is empty.").WithField("commit")
	}
	p, err := a.findProposal(c)
	if err != nil {
		return response{}, err
	}
	if p, err = a.Reviewer.Keep(c.ctx(), p.ID, in.Files, in.Commit, c.principal.Actor(), c.requestID); err != nil {
		return response{}, err
	}
	shown, err := a.showProposal(c, p)
	return response{status: http.StatusOK, body: shown}, err
}

// sendProposalComments sends all unresolved comments to the agent in one message.
func (a *api) sendProposalComments(c *call) (response, error) {
	p, err := a.findProposal(c)
	if err != nil {
		return response{}, err
	}
	if p.State != proposal.Open {
		return response{}, fault.Newf(fault.Conflict, "wrong_state", "The proposal is %s.", p.State)
	}
	job, err := a.Store.FindAgentJobByBranch(c.ctx(), p.ProjectID, p.Head)
	if fault.Is(err, fault.NotFound) {
		return response{}, fault.New(fault.Conflict, "no_agent_job", "No agent job belongs to this proposal.")
	}
	if err != nil {
		return response{}, err
	}
	list, err := a.Store.ListProposalComments(c.ctx(), c.org(), p.ID)
	if err != nil {
		return response{}, err
	}
	text, quotes, n := proposal.Message(list, agentjob.MaxPrompt)
	if n == 0 {
		return response{}, fault.New(fault.Conflict, "no_comments", "There is no unresolved comment to send.")
	}
	var shown client.AgentJob
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		j, err := tx.SayToAgentJob(c.ctx(), c.org(), p.ProjectID, job.ID,
			agentjob.Entry{Author: c.principal.Actor(), Text: text}, quotes)
		if err != nil {
			return err
		}
		shown = showAgentJob(j)
		return tx.Record(c.ctx(), a.event(c, "agent.message", j.ID, map[string]string{"project": j.ProjectID}))
	})
	return response{status: http.StatusOK, body: a.openable(c, p.ProjectID, shown)}, err
}
