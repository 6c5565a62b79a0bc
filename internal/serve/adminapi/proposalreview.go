package adminapi

import (
	"net/http"
	"slices"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/store"
)

// changeOf returns the change to a file, which the proposal may have renamed.
func changeOf(changes []draft.Change, file string) (draft.Change, bool) {
	for _, matches := range []func(draft.Change) bool{
		func(ch draft.Change) bool { return ch.Path == file },
		func(ch draft.Change) bool { return ch.From == file },
	} {
		if i := slices.IndexFunc(changes, matches); i >= 0 {
			return changes[i], true
		}
	}
	return draft.Change{}, false
}

// sideOf returns one side of a changed text file; ok is false if that side cannot be commented on.
func sideOf(ch draft.Change, side proposal.Side) (text string, ok bool) {
	data := ch.After
	if side == proposal.Old {
		data = ch.Before
	}
	return string(data), data != nil && ch.Text()
}

// maxFollowed is the maximum size of a file, in bytes, in which the lines of comments are still located after changes.
const maxFollowed = 1 << 20

// lineFinder finds the lines of comments in a proposal's changes. It splits each side of a file only once, regardless
// of the number of comments.
type lineFinder struct {
	changes []draft.Change
	sides   map[sideKey][]string
}

type sideKey struct {
	path string
	side proposal.Side
}

func newLineFinder(changes []draft.Change) lineFinder {
	return lineFinder{changes, map[sideKey][]string{}}
}

// find returns the path of the file that a comment belongs to now, and the number of its line, or 0 if its lines are
// gone.
func (f lineFinder) find(cm proposal.Comment) (path string, line int) {
	ch, found := changeOf(f.changes, cm.File)
	if !found {
		return cm.File, 0
	}
	key := sideKey{ch.Path, cm.Side}
	lines, split := f.sides[key]
	if !split {
		if text, ok := sideOf(ch, cm.Side); ok && len(text) <= maxFollowed {
			lines = proposal.Lines(text)
		}
		f.sides[key] = lines
	}
	return ch.Path, cm.Find(lines)
}

// showComment converts a comment to the API's form, with its current position.
func showComment(cm proposal.Comment, in lineFinder, names map[string]string) client.ProposalComment {
	out := client.ProposalComment{ID: cm.ID, Path: cm.File, Side: client.ProposalSide(cm.Side), Outdated: true, Quote: cm.Quote,
		Body: cm.Body, Commit: cm.Commit, Author: cm.Author, AuthorName: orNull(names[cm.Author]),
		ResolvedBy: orNull(cm.ResolvedBy), AppliedCommit: orNull(cm.Applied), CreatedAt: stamp(cm.CreatedAt),
		UpdatedAt: stamp(cm.UpdatedAt)}
	if cm.Suggests {
		out.Suggestion = &cm.Suggestion
	}
	if path, line := in.find(cm); line > 0 {
		last := line + cm.Last - cm.Line
		out.Path, out.Line, out.EndLine, out.Outdated = path, &line, &last, false
	}
	return out
}

// addReview adds a proposal's comments and approvals.
func (a *api) addReview(c *call, p proposal.Proposal, out *client.ProposalChanges, changes []draft.Change,
	at proposal.Position) error {
	out.Comments, out.Approvals = []client.ProposalComment{}, []client.ProposalApproval{}
	comments, err := a.Store.ListProposalComments(c.ctx(), c.org(), p.ID)
	if err != nil {
		return err
	}
	approvals, err := a.Store.ListProposalApprovals(c.ctx(), c.org(), p.ID)
	if err != nil {
		return err
	}
	var ids []string
	for _, one := range comments {
		ids = append(ids, one.Author)
	}
	for _, one := range approvals {
		ids = append(ids, one.Author)
	}
	names, err := a.Store.FindNames(c.ctx(), c.org(), ids)
	if err != nil {
		return err
	}
	in := newLineFinder(changes)
	for _, one := range comments {
		out.Comments = append(out.Comments, showComment(one, in, names))
	}
	for _, one := range approvals {
		out.Approvals = append(out.Approvals, client.ProposalApproval{Author: one.Author,
			AuthorName: orNull(names[one.Author]), Commit: one.Commit, Stale: one.Commit != at.Commit,
			CreatedAt: stamp(one.CreatedAt)})
	}
	return nil
}

// seen rejects a review of any commit other than the branch's current one.
func seen(commit string, at proposal.Position) error {
	if commit == at.Commit {
		return nil
	}
	return fault.Newf(fault.Conflict, "branch_moved", "The branch has moved to another commit: %s.", at.Commit).
		WithField("commit").WithHint("Look at the newest changes, then try again.")
}

func (a *api) createProposalComment(c *call) (response, error) {
	var in struct {
		Path       string  `json:"path" required:"true"`
		Side       *string `json:"side"` // nil = the new side
		Line       int     `json:"line" required:"true"`
		EndLine    *int    `json:"endLine"`
		Body       string  `json:"body"`
		Suggestion *string `json:"suggestion"`
		Commit     string  `json:"commit" required:"true"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	p, err := a.findProposal(c)
	if err != nil {
		return response{}, err
	}
	made := proposal.Comment{OrganizationID: p.OrganizationID, ProposalID: p.ID, File: in.Path, Line: in.Line,
		Last: in.Line, Side: proposal.New, Commit: in.Commit, Author: c.principal.Actor()}
	if in.Side != nil {
		made.Side = proposal.Side(*in.Side)
	}
	if made.Side != proposal.Old && made.Side != proposal.New {
		return response{}, fault.New(fault.Invalid, "invalid_field", "side must be old or new.").WithField("side")
	}
	if in.EndLine != nil {
		made.Last = *in.EndLine
	}
	if in.Suggestion != nil {
		made.Suggests, made.Suggestion = true, *in.Suggestion
	}
	if made.Body, err = proposal.CheckComment(in.Body, in.Suggestion, made.Side); err != nil {
		return response{}, err
	}
	changes, at, err := a.Merger.Changes(c.ctx(), p.ID)
	if err == nil {
		err = seen(in.Commit, at)
	}
	if err != nil {
		return response{}, err
	}
	if made.Quote, err = quoteOf(changes, made); err != nil {
		return response{}, err
	}
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) (err error) {
		if made, err = tx.CreateProposalComment(c.ctx(), made); err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.proposalEvent(c, p, "proposal.comment", map[string]string{"comment": made.ID,
			"file": made.File}))
	})
	return a.commentResponse(c, http.StatusCreated, made, changes, err)
}

// quoteOf returns the lines that a new comment refers to.
func quoteOf(changes []draft.Change, cm proposal.Comment) (string, error) {
	ch, found := changeOf(changes, cm.File)
	text, ok := sideOf(ch, cm.Side)
	if !found || ch.Path != cm.File || !ok {
		return "", fault.New(fault.Invalid, "invalid_field",
			"The proposal does not change a text file at this path, or the file does not exist on this side.").
			WithField("path")
	}
	return proposal.Quote(text, cm.Line, cm.Last)
}

func (a *api) commentResponse(c *call, status int, cm proposal.Comment, changes []draft.Change,
	err error) (response, error) {
	if err != nil {
		return response{}, err
	}
	names, err := a.Store.FindNames(c.ctx(), c.org(), []string{cm.Author})
	return response{status: status, body: showComment(cm, newLineFinder(changes), names)}, err
}

func (a *api) updateProposalComment(c *call) (response, error) {
	var in struct {
		Resolved bool `json:"resolved" required:"true"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	p, err := a.findProposal(c)
	if err != nil {
		return response{}, err
	}
	by, action := c.principal.Actor(), "proposal.resolve"
	if !in.Resolved {
		by, action = "", "proposal.unresolve"
	}
	var cm proposal.Comment
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) (err error) {
		cm, err = tx.ResolveProposalComment(c.ctx(), c.org(), p.ID, c.pathID("commentId", id.Comment), by)
		if err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.proposalEvent(c, p, action, map[string]string{"comment": cm.ID, "file": cm.File}))
	})
	if err != nil {
		return response{}, err
	}
	changes, _, err := a.Merger.Changes(c.ctx(), p.ID)
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.TooLarge) {
		err = nil // as in getProposal
	}
	return a.commentResponse(c, http.StatusOK, cm, changes, err)
}

func (a *api) approveProposal(c *call) (response, error) {
	var in struct {
		Commit string `json:"commit" required:"true"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	p, err := a.findProposal(c)
	if err != nil {
		return response{}, err
	}
	_, at, err := a.Merger.Changes(c.ctx(), p.ID)
	if err != nil && !fault.Is(err, fault.TooLarge) {
		return response{}, err
	}
	if err := seen(in.Commit, at); err != nil {
		return response{}, err
	}
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		if err := tx.ApproveProposal(c.ctx(), proposal.Approval{OrganizationID: p.OrganizationID, ProposalID: p.ID,
			Author: c.principal.Actor(), Commit: at.Commit}); err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.proposalEvent(c, p, "proposal.approve", map[string]string{"commit": at.Commit}))
	})
	if err != nil {
		return response{}, err
	}
	shown, err := a.showProposal(c, p)
	return response{status: http.StatusOK, body: shown}, err
}
