package local

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/git"
)

// Proposals stores proposals. A missing one is a fault of kind NotFound.
type Proposals interface {
	// FindByHead returns the newest open proposal from a branch or, if none is open, the newest one.
	FindByHead(ctx context.Context, projectID, head string) (proposal.Proposal, error)
	FindByNumber(ctx context.Context, projectID string, number int64) (proposal.Proposal, error)
	// Create stores an open proposal. If the branch already has one, the fault is of kind Conflict.
	Create(ctx context.Context, p proposal.Proposal) (proposal.Proposal, error)
	Update(ctx context.Context, proposalID, title, body string, draft bool) (proposal.Proposal, error)
}

// Host provides the pull requests of one project.
type Host struct {
	home    *Home
	project project.Project
	remote  git.Remote
}

var _ pull.Host = (*Host)(nil)

// Host returns the pull requests of a project; remote is the result of Prepare.
func (h *Home) Host(p project.Project, remote git.Remote) *Host {
	return &Host{home: h, project: p, remote: remote}
}

// Limits of a proposal, similar to those of other code hosts.
const (
	maxTitle = 255    // characters
	maxBody  = 65_000 // bytes
)

// Find returns the newest open proposal from branch head or, if none is open, the newest one.
func (h *Host) Find(ctx context.Context, head string) (pull.Pull, error) {
	p, err := h.home.Proposals.FindByHead(ctx, h.project.ID, head)
	return h.show(ctx, p, err)
}

// Get returns a proposal by number.
func (h *Host) Get(ctx context.Context, number int64) (pull.Pull, error) {
	p, err := h.home.Proposals.FindByNumber(ctx, h.project.ID, number)
	return h.show(ctx, p, err)
}

// Open creates a proposal, or returns the open one from this branch.
func (h *Host) Open(ctx context.Context, r pull.Request) (pull.Pull, error) {
	for _, branch := range []string{r.Head, r.Base} {
		if _, found, err := h.home.Git.Tip(ctx, h.remote, branch); err != nil {
			return pull.Pull{}, err
		} else if !found {
			return pull.Pull{}, fault.Newf(fault.Invalid, "forge_refused", "The repository has no branch %s.", branch)
		}
	}
	p, err := h.home.Proposals.FindByHead(ctx, h.project.ID, r.Head)
	if err == nil && p.State == proposal.Open {
		return h.show(ctx, p, nil)
	}
	if err != nil && !fault.Is(err, fault.NotFound) {
		return h.show(ctx, p, err)
	}
	p, err = h.home.Proposals.Create(ctx,
		proposal.Proposal{OrganizationID: h.project.OrganizationID, ProjectID: h.project.ID, Draft: r.Draft,
			Title: cutTitle(r.Title), Body: cutBody(r.Body), Head: r.Head, Base: r.Base})
	if fault.Is(err, fault.Conflict) { // another request created it first
		p, err = h.home.Proposals.FindByHead(ctx, h.project.ID, r.Head)
	}
	return h.show(ctx, p, err)
}

// Update changes a proposal's title and text. A proposal that is ready does not become a draft again. Labels and
// reviewers are not supported.
func (h *Host) Update(ctx context.Context, number int64, r pull.Request) (pull.Pull, error) {
	p, err := h.home.Proposals.FindByNumber(ctx, h.project.ID, number)
	if err == nil {
		p, err = h.home.Proposals.Update(ctx, p.ID, cutTitle(r.Title), cutBody(r.Body), p.Draft && r.Draft)
	}
	return h.show(ctx, p, err)
}

// Comments returns nothing, because people send messages to the job itself.
func (h *Host) Comments(ctx context.Context, number int64) ([]pull.Comment, error) {
	_, err := h.Get(ctx, number)
	return nil, err
}

// show converts a proposal to a pull request.
func (h *Host) show(ctx context.Context, p proposal.Proposal, err error) (pull.Pull, error) {
	if fault.Is(err, fault.NotFound) {
		return pull.Pull{}, fault.New(fault.NotFound, "unknown_pull", "Proposal not found.")
	}
	if err != nil {
		return pull.Pull{}, fmt.Errorf("find proposal: %w", err)
	}
	commit, _, err := h.home.Git.Tip(ctx, h.remote, p.Head)
	if err != nil {
		return pull.Pull{}, err
	}
	return pull.Pull{Number: p.Number, URL: h.home.Link(p.ProjectID, p.ID), State: pull.State(p.State), Draft: p.Draft,
		Title: p.Title,
		Head:  p.Head, Base: p.Base, Commit: commit}, nil
}

func cutTitle(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if s == "" {
		return "Proposal"
	}
	return clip.Words(s, maxTitle)
}

func cutBody(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= maxBody {
		return s
	}
	cut := maxBody
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "\n\n…"
}

var _ pull.Reporter = (*Host)(nil)

// SetStatus does nothing: the server's own pages show the states of its previews.
func (h *Host) SetStatus(ctx context.Context, _ string, _ pull.Status) error { return ctx.Err() }

// PutComment does nothing, like SetStatus: the embedded code host has no comments.
func (h *Host) PutComment(ctx context.Context, number int64, _ pull.Note) (string, error) {
	_, err := h.Get(ctx, number)
	return "", err
}
