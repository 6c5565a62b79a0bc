package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

type proposalsCommands struct {
	List    proposalsListCommand    `cmd:"" help:"List a project's proposals, newest first."`
	Show    proposalsShowCommand    `cmd:"" help:"Show a proposal with its files, approvals and comments."`
	Comment proposalsCommentCommand `cmd:"" help:"Comment on lines of a changed file, and suggest an edit."`
	Resolve proposalsResolveCommand `cmd:"" help:"Mark a comment as resolved."`
	Apply   proposalsApplyCommand   `cmd:"" help:"Make the edit that a comment suggests, as a commit on the branch."`
	Send    proposalsSendCommand    `cmd:"" help:"Send the unresolved comments to the agent."`
	Update  proposalsUpdateCommand  `cmd:"" help:"Merge the newest state of the project's branch into a proposal."`
	Keep    proposalsKeepCommand    `cmd:"" help:"Keep the changes to some files and revert all others."`
	Approve proposalsApproveCommand `cmd:"" help:"Approve a proposal as it is now."`
	Merge   proposalsMergeCommand   `cmd:"" help:"Merge a proposal and publish the site."`
	Close   proposalsCloseCommand   `cmd:"" help:"Close a proposal without merging it."`
}

// ofProposal contains the arguments of commands for one proposal.
type ofProposal struct {
	remote
	ofProject
	ProposalID string `arg:"" name:"proposal-id" help:"Id of the proposal, such as pp_…"`
}

// read returns the proposal with its changes.
func (c ofProposal) read(ctx context.Context, r *run) (*client.Client, string, *client.ProposalChanges, error) {
	cl, projectID, err := c.open(ctx, r, c.ofProject)
	if err != nil {
		return nil, "", nil, err
	}
	p, err := cl.GetProposal(ctx, projectID, c.ProposalID)
	return cl, projectID, p, err
}

// head returns the given commit, or the proposal's current one.
func head(p *client.ProposalChanges, named string) (string, error) {
	switch {
	case named != "":
		return named, nil
	case p.HeadCommit == nil:
		return "", fault.New(fault.NotFound, "branch_not_found", "The branch of the proposal is gone.")
	}
	return *p.HeadCommit, nil
}

type proposalsListCommand struct {
	remote
	ofProject
	Limit int `default:"20" help:"Maximum number of results, 100 at most."`
}

func (c *proposalsListCommand) Run(ctx context.Context, r *run) error {
	cl, projectID, err := c.open(ctx, r, c.ofProject)
	if err != nil {
		return err
	}
	list, err := cl.ListProposals(ctx, projectID, client.ListProposalsParams{Limit: c.Limit})
	if err != nil {
		return err
	}
	return c.result(r, list, func(w io.Writer) error {
		var rows [][]string
		for _, p := range list.Proposals {
			rows = append(rows, []string{p.ID, p.State, day(p.CreatedAt), harmless(p.Head), harmless(p.Title)})
		}
		return printTable(w, []string{"PROPOSAL ID", "STATE", "CREATED", "BRANCH", "TITLE"}, rows)
	})
}

type proposalsShowCommand struct {
	ofProposal
	Patch bool `help:"Print the changes as a patch, and nothing else."`
}

func (c *proposalsShowCommand) Run(ctx context.Context, r *run) error {
	_, _, p, err := c.read(ctx, r)
	if err != nil {
		return err
	}
	if c.Patch && p.Patch == nil {
		return fault.New(fault.NotFound, "no_patch", "The branch is gone, or the changes are too large to show.")
	}
	return c.result(r, p, func(w io.Writer) error {
		if c.Patch {
			_, err := io.WriteString(w, *p.Patch)
			return err
		}
		_, err := io.WriteString(w, proposalText(p))
		return err
	})
}

// proposalText formats a proposal.
func proposalText(p *client.ProposalChanges) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#%d %s (%s)\n%s into %s at %s", p.Number, harmless(p.Title), p.State, harmless(p.Head),
		harmless(p.Base), orNone(p.HeadCommit))
	if p.Behind > 0 {
		fmt.Fprintf(&b, ", behind by %d", p.Behind)
	}
	b.WriteString("\n")
	for _, a := range p.Approvals {
		stale := ""
		if a.Stale {
			stale = " (the branch has changed since)"
		}
		fmt.Fprintf(&b, "approved by %s at %s%s\n", harmless(nameOr(a.AuthorName, a.Author)), a.Commit, stale)
	}
	b.WriteString("\n")
	for _, f := range p.Files {
		from := ""
		if f.From != nil {
			from = harmless(*f.From) + " → "
		}
		fmt.Fprintf(&b, "%s %s%s +%d -%d\n", f.Change, from, harmless(f.Path), f.Added, f.Removed)
	}
	for _, one := range p.Comments {
		fmt.Fprintf(&b, "\n%s %s by %s on %s\n", one.ID, commentState(one), harmless(nameOr(one.AuthorName, one.Author)),
			commentPlace(one))
		if one.Body != "" {
			fmt.Fprintf(&b, "%s\n", harmlessLines(one.Body))
		}
		if one.Suggestion != nil {
			fmt.Fprintf(&b, "suggested: %s\n", harmlessLines(*one.Suggestion))
		}
	}
	return b.String()
}

func nameOr(name *string, id string) string {
	if name != nil {
		return *name
	}
	return id
}

func commentState(c client.ProposalComment) string {
	switch {
	case c.AppliedCommit != nil:
		return "applied"
	case c.ResolvedBy != nil:
		return "resolved"
	case c.Outdated:
		return "outdated"
	}
	return "open"
}

func commentPlace(c client.ProposalComment) string {
	place := harmless(c.Path)
	if c.Line != nil {
		place += fmt.Sprintf(":%d", *c.Line)
	}
	if c.Side == "old" {
		place += " (old)"
	}
	return place
}

type proposalsCommentCommand struct {
	ofProposal
	File    string  `required:"" help:"Changed file, as show prints it."`
	Line    int     `required:"" help:"First line."`
	EndLine int     `help:"Last line. Default: the first."`
	Side    string  `enum:"old,new" default:"new" help:"Which lines: those of the file before (old) or after the change (new)."`
	Text    string  `help:"Comment; - reads it from standard input."`
	Suggest *string `placeholder:"TEXT" help:"Text to replace the lines with; empty removes them."`
	Commit  string  `help:"Commit that the line numbers refer to. Default: the newest of the branch."`
}

func (c *proposalsCommentCommand) Run(ctx context.Context, r *run) error {
	text, err := promptText(r, c.Text)
	if err != nil {
		return err
	}
	cl, projectID, p, err := c.read(ctx, r)
	if err != nil {
		return err
	}
	commit, err := head(p, c.Commit)
	if err != nil {
		return err
	}
	made, err := cl.CreateProposalComment(ctx, projectID, p.ID, client.CreateProposalComment{Path: c.File,
		Side: client.ProposalSide(c.Side), Line: c.Line, EndLine: c.EndLine, Body: text, Suggestion: c.Suggest,
		Commit: commit})
	if err != nil {
		return err
	}
	return c.result(r, made, line(made.ID))
}

type proposalsResolveCommand struct {
	ofProposal
	CommentID string `arg:"" name:"comment-id" help:"Id of the comment, such as pc_…"`
	Undo      bool   `help:"Mark it as unresolved again."`
}

func (c *proposalsResolveCommand) Run(ctx context.Context, r *run) error {
	cl, projectID, err := c.open(ctx, r, c.ofProject)
	if err != nil {
		return err
	}
	changed, err := cl.UpdateProposalComment(ctx, projectID, c.ProposalID, c.CommentID,
		client.UpdateProposalComment{Resolved: !c.Undo})
	if err != nil {
		return err
	}
	return c.result(r, changed, line(changed.ID))
}

type proposalsApproveCommand struct {
	ofProposal
	Commit string `help:"Commit to approve. Default: the newest of the branch."`
}

func (c *proposalsApproveCommand) Run(ctx context.Context, r *run) error {
	cl, projectID, p, err := c.read(ctx, r)
	if err != nil {
		return err
	}
	commit, err := head(p, c.Commit)
	if err != nil {
		return err
	}
	approved, err := cl.ApproveProposal(ctx, projectID, p.ID, client.ApproveProposal{Commit: commit})
	if err != nil {
		return err
	}
	return c.result(r, approved, line(approved.ID))
}

type proposalsMergeCommand struct{ ofProposal }

func (c *proposalsMergeCommand) Run(ctx context.Context, r *run) error {
	return c.decide(ctx, r, (*client.Client).MergeProposal)
}

type proposalsCloseCommand struct{ ofProposal }

func (c *proposalsCloseCommand) Run(ctx context.Context, r *run) error {
	return c.decide(ctx, r, (*client.Client).CloseProposal)
}

func (c ofProposal) decide(ctx context.Context, r *run,
	do func(cl *client.Client, ctx context.Context, projectID, proposalID string,
		opts ...client.RequestOption) (*client.Proposal, error)) error {
	cl, projectID, err := c.open(ctx, r, c.ofProject)
	if err != nil {
		return err
	}
	p, err := do(cl, ctx, projectID, c.ProposalID)
	if err != nil {
		return err
	}
	return c.result(r, p, line(p.State))
}
