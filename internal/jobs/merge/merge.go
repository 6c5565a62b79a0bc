package merge

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/source/forge/local"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/source/localdir"
	"github.com/lectern-docs/lectern/internal/store"
)

// Merger merges, closes and edits proposals. It is safe for concurrent use.
type Merger struct {
	Store   *store.Store
	Home    *local.Home
	Local   localdir.Rule // which folders an organization's proposals may change; nil = none
	Private string        // the server's data folder, which merges must not write to; "" = none
	Limit   git.Limit
	Rules   guard.Rules // for suggested edits
	// Secrets returns the values that an organization's suggested edits must not contain; nil = none
	Secrets func(ctx context.Context, organizationID string) ([]string, error)
	Now     func() time.Time
	Log     *slog.Logger // may be nil
}

// mergeTries is the number of attempts to merge a proposal whose branch keeps moving.
const mergeTries = 3

// Merge merges a proposal. by and requestID are for the audit record. A proposal that is already merged is returned
// unchanged.
func (m *Merger) Merge(ctx context.Context, proposalID, by, requestID string) (proposal.Proposal, error) {
	unlock, err := m.lock(ctx, proposalID)
	if err != nil {
		return proposal.Proposal{}, err
	}
	defer unlock()
	p, err := m.Store.FindProposal(ctx, proposalID)
	if err != nil || p.State == proposal.Merged {
		return p, err
	}
	if err := proposal.CheckEdge(p.State, proposal.Merged); err != nil {
		return p, err
	}
	of, err := m.Store.FindProjectByID(ctx, p.ProjectID)
	if err != nil {
		return p, err
	}
	var commit string
	for range mergeTries {
		if commit, err = m.mergeBranch(ctx, of, p, by); !fault.HasCode(err, "branch_moved") {
			break
		}
	}
	if err != nil {
		return p, err
	}
	if p, err = m.settle(ctx, p, commit, by, requestID); err == nil {
		m.deleteBranch(ctx, of, p)
	}
	return p, err
}

// lock waits until no other process on this disk is merging or closing a proposal of the same project. Otherwise two
// merges into one folder could overwrite each other's files.
func (m *Merger) lock(ctx context.Context, proposalID string) (unlock func(), err error) {
	p, err := m.Store.FindProposal(ctx, proposalID)
	if err != nil {
		return nil, err
	}
	return m.Home.Lock(ctx, p.ProjectID)
}

// mergeBranch merges in the repository. It writes the changes to a folder source before it moves the branch: after a
// crash in between, the folder's files are imported as they are, and the next attempt finds them already merged.
func (m *Merger) mergeBranch(ctx context.Context, of project.Project, p proposal.Proposal, by string) (string, error) {
	if _, err := m.Home.Prepare(ctx, of); err != nil {
		return "", err
	}
	repo, err := m.Home.Repo(ctx, of)
	if err != nil {
		return "", err
	}
	in := git.Merge{Base: p.Base, Head: p.Head, Folder: of.DocsFolder, When: m.Now(), Limit: m.Limit,
		Message: fmt.Sprintf("Merge proposal %d: %s", p.Number, p.Title)}
	if in.Author, in.Email, err = m.signature(ctx, p.OrganizationID, by); err != nil {
		return "", err
	}
	if of.Source.Path != "" {
		in.Apply = func(ctx context.Context, changes []draft.Change) error {
			return m.writeFolder(ctx, of, changes)
		}
	}
	return repo.Merge(ctx, in)
}

// settle records that a proposal is merged, with everything that follows from it, in one transaction.
func (m *Merger) settle(ctx context.Context, seen proposal.Proposal, commit, by, requestID string) (proposal.Proposal,
	error) {
	var p proposal.Proposal
	err := m.Store.Tx(ctx, func(t *store.Tx) (err error) {
		if p, err = t.FindProposal(ctx, seen.ID); err != nil || p.State == proposal.Merged {
			return err
		}
		if p, err = t.MoveProposal(ctx, p, proposal.Merged, by, commit); err != nil {
			return err
		}
		of, err := t.FindProjectByID(ctx, p.ProjectID)
		if err != nil {
			return err
		}
		if of.Source.Repository == project.BuiltIn {
			of.Source = project.Source{Repository: project.Own, Branch: p.Base}
			if of, err = t.UpdateProject(ctx, of); err != nil {
				return err
			}
		}
		if err := m.note(ctx, t, p, agentjob.PullMerged, "pull_merged", "The proposal was merged."); err != nil {
			return err
		}
		if err := t.Record(ctx, m.event(p, by, "proposal.merge", requestID,
			map[string]string{"commit": commit})); err != nil {
			return err
		}
		d, err := t.QueueDeployment(ctx, of, deploy.Production, "", "merge")
		if err != nil {
			return err
		}
		return t.SetStarter(ctx, d, by)
	})
	return p, err
}

// Close closes a proposal without merging it. A proposal that is already closed is returned unchanged.
func (m *Merger) Close(ctx context.Context, proposalID, by, requestID string) (proposal.Proposal, error) {
	unlock, err := m.lock(ctx, proposalID)
	if err != nil {
		return proposal.Proposal{}, err
	}
	defer unlock()
	var p proposal.Proposal
	err = m.Store.Tx(ctx, func(t *store.Tx) (err error) {
		if p, err = t.FindProposal(ctx, proposalID); err != nil || p.State == proposal.Closed {
			return err
		}
		if p, err = t.MoveProposal(ctx, p, proposal.Closed, by, ""); err != nil {
			return err
		}
		if err := m.note(ctx, t, p, agentjob.PullClosed, "pull_closed",
			"The proposal was closed without being merged."); err != nil {
			return err
		}
		return t.Record(ctx, m.event(p, by, "proposal.close", requestID, nil))
	})
	return p, err
}

// Changes returns a proposal's changes or, once it is merged, the changes that it had at that time. Paths are relative
// to the docs folder; paths outside it start with "../". The branch position is returned even if there are too many
// changes.
func (m *Merger) Changes(ctx context.Context, proposalID string) ([]draft.Change, proposal.Position, error) {
	var at proposal.Position
	p, err := m.Store.FindProposal(ctx, proposalID)
	if err != nil {
		return nil, at, err
	}
	of, err := m.Store.FindProjectByID(ctx, p.ProjectID)
	if err != nil {
		return nil, at, err
	}
	repo, err := m.Home.Repo(ctx, of)
	if err != nil {
		return nil, at, err
	}
	if p.State == proposal.Merged {
		return repo.Merged(ctx, p.MergeCommit, of.DocsFolder, m.Limit)
	}
	return repo.Changes(ctx, p.Base, p.Head, of.DocsFolder, m.Limit)
}

// note adds an entry to the agent job working on the branch, if there is one.
func (m *Merger) note(ctx context.Context, t *store.Tx, p proposal.Proposal, state agentjob.PullState, code,
	text string) error {
	_, _, err := t.NoteAgentPull(ctx, p.ProjectID, p.Head, p.Number, state,
		agentjob.Entry{Kind: agentjob.Note, Code: code, Text: text})
	return err
}

func (m *Merger) event(p proposal.Proposal, by, action, requestID string, more map[string]string) event.Event {
	data := map[string]string{"project": p.ProjectID, "number": strconv.FormatInt(p.Number, 10), "head": p.Head,
		"base": p.Base}
	for k, v := range more {
		data[k] = v
	}
	return event.New(p.OrganizationID, by, action, p.ID, requestID, m.Now(), data)
}
