package cli

import (
	"context"

	"github.com/lectern-docs/lectern/client"
)

type proposalsApplyCommand struct {
	ofProposal
	CommentID string `arg:"" name:"comment-id" help:"Id of the comment, such as pc_…"`
}

func (c *proposalsApplyCommand) Run(ctx context.Context, r *run) error {
	cl, projectID, err := c.open(ctx, r, c.ofProject)
	if err != nil {
		return err
	}
	applied, err := cl.ApplyProposalSuggestion(ctx, projectID, c.ProposalID, c.CommentID)
	if err != nil {
		return err
	}
	return c.result(r, applied, line(orNone(applied.AppliedCommit)))
}

type proposalsSendCommand struct{ ofProposal }

func (c *proposalsSendCommand) Run(ctx context.Context, r *run) error {
	cl, projectID, err := c.open(ctx, r, c.ofProject)
	if err != nil {
		return err
	}
	job, err := cl.SendProposalComments(ctx, projectID, c.ProposalID)
	if err != nil {
		return err
	}
	return c.result(r, job, line(job.ID))
}

type proposalsUpdateCommand struct{ ofProposal }

func (c *proposalsUpdateCommand) Run(ctx context.Context, r *run) error {
	return c.decide(ctx, r, (*client.Client).UpdateProposalBranch)
}

type proposalsKeepCommand struct {
	ofProposal
	Files  []string `arg:"" name:"file" help:"Files whose changes to keep, as show prints them."`
	Commit string   `help:"Commit that the files belong to. Default: the newest of the branch."`
}

func (c *proposalsKeepCommand) Run(ctx context.Context, r *run) error {
	cl, projectID, p, err := c.read(ctx, r)
	if err != nil {
		return err
	}
	commit, err := head(p, c.Commit)
	if err != nil {
		return err
	}
	kept, err := cl.KeepProposalFiles(ctx, projectID, p.ID, client.KeepProposalFiles{Files: c.Files, Commit: commit})
	if err != nil {
		return err
	}
	return c.result(r, kept, line(kept.State))
}
