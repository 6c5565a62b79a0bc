package merge

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/store"
)

// signature returns the name and address for someone's commits. Both are "" for API keys and for people who left.
func (m *Merger) signature(ctx context.Context, organizationID, by string) (name, email string, err error) {
	if !id.Has(id.Member, by) {
		return "", "", nil
	}
	member, err := m.Store.FindMember(ctx, organizationID, by)
	if fault.Is(err, fault.NotFound) {
		return "", "", nil
	}
	if err != nil {
		return "", "", err
	}
	person, err := m.Store.FindPersonByEmail(ctx, member.Email)
	if fault.Is(err, fault.NotFound) {
		return member.Email, member.Email, nil
	}
	return person.Called(), member.Email, err
}

// task is a requested commit on the branch of a proposal.
type task struct {
	proposalID, by, requestID string
	action                    string // action in the audit record
	message                   string
	seen                      string                     // commit that the person saw on the branch; "" = any
	write                     func(work) (string, error) // creates the commit
	// stores more in the same transaction; may be nil
	note func(ctx context.Context, t *store.Tx, commit string) error
}

// work is the state needed by a task.
type work struct {
	proposal proposal.Proposal
	project  project.Project
	remote   git.Remote // repository to fetch from
	repo     git.Repo
	edit     git.Edit
}

// commit runs a task: it adds the person's commit to the branch, and stores the audit record, the preview and related
// changes in one transaction. If the server dies in between, the commit exists without its record.
func (m *Merger) commit(ctx context.Context, k task) (proposal.Proposal, error) {
	unlock, err := m.lock(ctx, k.proposalID)
	if err != nil {
		return proposal.Proposal{}, err
	}
	defer unlock()
	w, err := m.prepare(ctx, k)
	if err != nil {
		return w.proposal, err
	}
	commit, err := k.write(w)
	if err != nil {
		return w.proposal, err
	}
	p := w.proposal
	ctx = context.WithoutCancel(ctx) // the commit exists: if the caller disconnects, it must still be recorded
	err = m.Store.Tx(ctx, func(t *store.Tx) error {
		if k.note != nil {
			if err := k.note(ctx, t, commit); err != nil {
				return err
			}
		}
		if err := t.Record(ctx, m.event(p, k.by, k.action, k.requestID, map[string]string{"commit": commit})); err != nil {
			return err
		}
		d, err := t.QueueDeployment(ctx, w.project, deploy.Preview, p.Head, "api")
		if err != nil {
			return err
		}
		return t.SetStarter(ctx, d, k.by)
	})
	return p, err
}

// prepare checks that a commit may be added to a proposal's branch.
func (m *Merger) prepare(ctx context.Context, k task) (w work, err error) {
	if w.proposal, err = m.Store.FindProposal(ctx, k.proposalID); err != nil {
		return w, err
	}
	if w.proposal.State != proposal.Open {
		return w, fault.Newf(fault.Conflict, "wrong_state", "The proposal is %s.", w.proposal.State)
	}
	job, err := m.Store.FindAgentJobByBranch(ctx, w.proposal.ProjectID, w.proposal.Head)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return w, err
	}
	if err == nil && job.Status == agentjob.Active {
		return w, fault.New(fault.Conflict, "agent_working", "The agent is working on this branch.").
			WithHint("Wait until it has finished, or stop it.")
	}
	if w.project, err = m.Store.FindProjectByID(ctx, w.proposal.ProjectID); err != nil {
		return w, err
	}
	if w.remote, err = m.Home.Prepare(ctx, w.project); err != nil {
		return w, err
	}
	if w.repo, err = m.Home.Repo(ctx, w.project); err != nil {
		return w, err
	}
	w.edit = git.Edit{Branch: w.proposal.Head, Seen: k.seen, Folder: w.project.DocsFolder, Message: k.message,
		When: m.Now()}
	w.edit.Author, w.edit.Email, err = m.signature(ctx, w.proposal.OrganizationID, k.by)
	return w, err
}

// Apply commits the edit suggested by a comment, in the name of the person who applies it, and resolves the comment.
// It is a conflict if the lines have changed since. A suggestion that was already applied is returned unchanged.
func (m *Merger) Apply(ctx context.Context, proposalID, commentID, by, requestID string) (proposal.Comment, error) {
	p, err := m.Store.FindProposal(ctx, proposalID)
	if err != nil {
		return proposal.Comment{}, err
	}
	cm, err := m.Store.FindProposalComment(ctx, p.OrganizationID, p.ID, commentID)
	switch {
	case err != nil:
		return cm, err
	case !cm.Suggests:
		return cm, fault.New(fault.Conflict, "no_suggestion", "The comment does not suggest an edit.")
	case cm.Applied != "":
		return cm, nil
	}
	message := "Apply a suggestion to " + cm.File
	if cm.Body != "" {
		message += "\n\n" + clip.Runes(cm.Body, 500)
	}
	if name, email, err := m.signature(ctx, p.OrganizationID, cm.Author); err != nil {
		return cm, err
	} else if email != "" && cm.Author != by {
		message += "\n\nCo-authored-by: " + name + " <" + email + ">"
	}
	_, err = m.commit(ctx, task{proposalID: proposalID, by: by, requestID: requestID, action: "proposal.edit",
		message: message,
		write: func(w work) (_ string, err error) {
			// Another call may have applied the suggestion while this one was waiting for the lock.
			if cm, err = m.Store.FindProposalComment(ctx, p.OrganizationID, p.ID, commentID); err != nil {
				return "", err
			}
			if cm.Applied != "" {
				return "", errApplied
			}
			changes, at, err := w.repo.Changes(ctx, p.Base, p.Head, w.project.DocsFolder, m.Limit)
			if err != nil {
				return "", err
			}
			i := slices.IndexFunc(changes, func(ch draft.Change) bool { return ch.Path == cm.File || ch.From == cm.File })
			if i < 0 || changes[i].After == nil {
				return "", linesChanged(cm)
			}
			after, found := cm.Apply(string(changes[i].After), at.Commit)
			if !found {
				return "", linesChanged(cm)
			}
			edited := draft.Change{Path: changes[i].Path, Before: changes[i].After, After: []byte(after)}
			if err := m.screen(ctx, w, edited); err != nil {
				return "", err
			}
			w.edit.Seen = at.Commit
			return w.repo.Write(ctx, w.edit, []draft.Change{edited})
		},
		note: func(ctx context.Context, t *store.Tx, commit string) (err error) {
			cm, err = t.ApplyProposalComment(ctx, p.OrganizationID, p.ID, commentID, by, commit)
			return err
		}})
	if errors.Is(err, errApplied) {
		return cm, nil
	}
	return cm, err
}

// errApplied ends a task whose suggestion is already applied. The caller gets the comment unchanged, just like later
// callers.
var errApplied = errors.New("the suggestion is already applied")

// screen rejects changes that agents may not propose either: secrets, scripts, and files that configure programs.
func (m *Merger) screen(ctx context.Context, w work, edited draft.Change) error {
	rules := m.Rules
	if m.Secrets != nil {
		secrets, err := m.Secrets(ctx, w.proposal.OrganizationID)
		if err != nil {
			return fmt.Errorf("list secrets: %w", err)
		}
		rules.Secrets = slices.Concat(rules.Secrets, secrets)
	}
	if blocked(edited, rules) == nil {
		return nil
	}
	known, err := m.knownHosts(ctx, w) // needs all files, and can only permit more
	if err != nil {
		return err
	}
	maps.Copy(known, rules.KnownHosts)
	rules.KnownHosts = known
	return blocked(edited, rules)
}

func blocked(edited draft.Change, rules guard.Rules) error {
	for _, f := range guard.Check([]draft.Change{edited}, rules) {
		if f.Block {
			return fault.Newf(fault.Invalid, "change_blocked", "The suggestion was not applied. %s:%d: %s", f.File, f.Line,
				f.Text)
		}
	}
	return nil
}

// knownHosts returns the hosts that the docs mention without the proposal.
func (m *Merger) knownHosts(ctx context.Context, w work) (map[string]bool, error) {
	dir, remove, err := m.Home.Scratch("hosts")
	if err != nil {
		return nil, err
	}
	defer func() { _ = remove() }() // removed when the process ends, if not here
	w.remote.Branch = w.proposal.Base
	if _, err := m.Home.Git.Checkout(ctx, w.remote, "", dir); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open checkout of the base branch: %w", err)
	}
	defer func() { _ = root.Close() }()
	return guard.Hosts(ctx, root.FS())
}

func linesChanged(cm proposal.Comment) error {
	return fault.Newf(fault.Conflict, "lines_changed",
		"The suggestion was not applied: the lines of %s that it replaces have changed since, or the branch has moved and "+
			"they occur more than once.", cm.File).
		WithHint("Comment on the lines as they are now.")
}

// Update merges the latest state of the project's branch into a proposal that is behind it.
func (m *Merger) Update(ctx context.Context, proposalID, by, requestID string) (proposal.Proposal, error) {
	p, err := m.Store.FindProposal(ctx, proposalID)
	if err != nil {
		return p, err
	}
	return m.commit(ctx, task{proposalID: proposalID, by: by, requestID: requestID, action: "proposal.update",
		message: fmt.Sprintf("Merge %s into %s", p.Base, p.Head),
		write:   func(w work) (string, error) { return w.repo.Update(ctx, w.edit, p.Base) }})
}

// Keep keeps the changes to some files and reverts all others with a commit, so they remain in the branch's history.
// seen is the commit that the person saw.
func (m *Merger) Keep(ctx context.Context, proposalID string, files []string, seen, by, requestID string) (
	proposal.Proposal, error) {
	p, err := m.Store.FindProposal(ctx, proposalID)
	if err != nil {
		return p, err
	}
	return m.commit(ctx, task{proposalID: proposalID, by: by, requestID: requestID, action: "proposal.keep",
		message: "Revert changes\n\nKept: " + clip.Runes(strings.Join(files, ", "), 2000), seen: seen,
		write: func(w work) (string, error) {
			changes, _, err := w.repo.Changes(ctx, p.Base, p.Head, w.project.DocsFolder, m.Limit)
			if err != nil {
				return "", err
			}
			keep, err := kept(changes, files)
			if err != nil {
				return "", err
			}
			commit, err := w.repo.Undo(ctx, w.edit, p.Base, func(path string) bool { return !keep[path] })
			if fault.HasCode(err, "no_change") {
				err = fault.New(fault.Invalid, "no_change", "These are all of the proposal's files.").WithField("files").
					WithHint("To keep all of them, merge the proposal.")
			}
			return commit, err
		}})
}

// kept returns the paths whose changes are kept; a renamed file has two.
func kept(changes []draft.Change, files []string) (map[string]bool, error) {
	keep := map[string]bool{}
	for _, file := range files {
		i := slices.IndexFunc(changes, func(ch draft.Change) bool { return ch.Path == file })
		if i < 0 {
			return nil, fault.Newf(fault.Invalid, "invalid_field", "The proposal does not change %s.", file).
				WithField("files")
		}
		keep[file] = true
		if from := changes[i].From; from != "" {
			keep[from] = true
		}
	}
	if len(keep) == 0 {
		return nil, fault.New(fault.Invalid, "invalid_field", "At least one file must be kept.").WithField("files").
			WithHint("To keep none, close the proposal.")
	}
	return keep, nil
}

// deleteBranch removes a merged proposal's branch if Lectern created it. Errors are only logged: they do not fail the
// merge.
func (m *Merger) deleteBranch(ctx context.Context, of project.Project, p proposal.Proposal) {
	if !strings.HasPrefix(p.Head, agentjob.BranchPrefix) {
		return
	}
	repo, err := m.Home.Repo(ctx, of)
	if err == nil {
		err = repo.DeleteMerged(ctx, p.Head, p.Base)
	}
	if err != nil && !errors.Is(err, context.Canceled) && m.Log != nil {
		m.Log.Warn("failed to delete merged branch", "proposal", p.ID, "branch", p.Head, slog.Any("error", err))
	}
}
