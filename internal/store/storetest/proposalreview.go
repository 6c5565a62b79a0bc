package storetest

import (
	"reflect"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

func (w *world) comment(c proposal.Comment) (made proposal.Comment, err error) {
	err = w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
		made, err = tx.CreateProposalComment(w.ctx, c)
		return err
	})
	return made, err
}

func (w *world) approve(a proposal.Approval) error {
	return w.s.Tx(w.ctx, func(tx *store.Tx) error { return tx.ApproveProposal(w.ctx, a) })
}

func testProposalReview(t *testing.T, database func(*testing.T) string) {
	w := newWorld(t, database)
	o, other := w.organization("a"), w.organization("b")
	project := w.project(o.ID)
	p := w.proposalIn(project, "lectern/a", proposal.Open)
	remark := proposal.Comment{OrganizationID: o.ID, ProposalID: p.ID, File: "guides/a.mdx", Side: proposal.Old, Line: 3,
		Last: 4, Quote: "a\nb", Body: "Why?\x00", Commit: "c1", Author: "mem_1", ResolvedBy: "x", Applied: "x"}
	edit := remark
	edit.Side, edit.Suggests, edit.Suggestion, edit.Body = proposal.New, true, "A\nB\n", ""

	first, err := w.comment(remark)
	w.ok(err)
	w.clock.advance(time.Second)
	second, err := w.comment(edit)
	w.ok(err)
	if !id.Has(id.Comment, first.ID) || first.Body != "Why?\ufffd" || first.Resolved() || first.Applied != "" {
		t.Errorf("%+v", first)
	}
	list, err := w.s.ListProposalComments(w.ctx, o.ID, p.ID)
	w.ok(err)
	if !reflect.DeepEqual(list, []proposal.Comment{first, second}) {
		t.Errorf("listed %+v", list)
	}

	w.tx(func(tx *store.Tx) error {
		got, err := tx.ResolveProposalComment(w.ctx, o.ID, p.ID, first.ID, "mem_2")
		if err == nil && (got.ResolvedBy != "mem_2" || got.Body != first.Body) {
			t.Errorf("%+v", got)
		}
		return err
	})
	w.tx(func(tx *store.Tx) error {
		got, err := tx.ResolveProposalComment(w.ctx, o.ID, p.ID, first.ID, "")
		if err == nil && got.Resolved() {
			t.Errorf("%+v", got)
		}
		return err
	})
	w.tx(func(tx *store.Tx) error {
		got, err := tx.ApplyProposalComment(w.ctx, o.ID, p.ID, second.ID, "mem_2", "c2")
		if err == nil && (got.ResolvedBy != "mem_2" || got.Applied != "c2") {
			t.Errorf("%+v", got)
		}
		return err
	})

	w.ok(w.approve(proposal.Approval{OrganizationID: o.ID, ProposalID: p.ID, Author: "mem_1", Commit: "c1"}))
	w.clock.advance(time.Second)
	w.ok(w.approve(proposal.Approval{OrganizationID: o.ID, ProposalID: p.ID, Author: "mem_2", Commit: "c1"}))
	w.clock.advance(time.Second)
	w.ok(w.approve(proposal.Approval{OrganizationID: o.ID, ProposalID: p.ID, Author: "mem_1", Commit: "c2"}))
	approvals, err := w.s.ListProposalApprovals(w.ctx, o.ID, p.ID)
	w.ok(err)
	if len(approvals) != 2 || approvals[0].Author != "mem_1" || approvals[0].Commit != "c2" ||
		approvals[1].Author != "mem_2" || !approvals[0].CreatedAt.After(approvals[1].CreatedAt) {
		t.Errorf("%+v", approvals)
	}

	// Another organization sees nothing and changes nothing.
	list, err = w.s.ListProposalComments(w.ctx, other.ID, p.ID)
	w.ok(err)
	approvals, err = w.s.ListProposalApprovals(w.ctx, other.ID, p.ID)
	w.ok(err)
	if len(list) != 0 || len(approvals) != 0 {
		t.Errorf("another organization sees %+v, %+v", list, approvals)
	}
	foreign := remark
	foreign.OrganizationID = other.ID
	w.wantFault(only(w.comment(foreign)), fault.NotFound, "unknown_proposal")
	w.wantFault(w.approve(proposal.Approval{OrganizationID: other.ID, ProposalID: p.ID, Author: "mem_9", Commit: "c2"}),
		fault.NotFound, "unknown_proposal")
	w.wantFault(only(w.s.FindProposalComment(w.ctx, other.ID, p.ID, first.ID)), fault.NotFound, "unknown_comment")
	w.wantFault(w.s.Tx(w.ctx, func(tx *store.Tx) error {
		return only(tx.ResolveProposalComment(w.ctx, other.ID, p.ID, first.ID, "mem_9"))
	}), fault.NotFound, "unknown_comment")

	// The limit also applies to concurrent comments.
	w.ok(w.exec(`INSERT INTO proposal_comments (id, organization_id, proposal_id, file, side, line, last_line, quote, body,
			suggests, suggestion, commit_id, author, created_at, updated_at)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2)
		SELECT 'pc_' || i, organization_id, id, 'f', 'new', 1, 1, '', 'x', FALSE, '', 'c', 'mem_1', 0, 0
		FROM proposals, n WHERE id = $1`, p.ID, proposal.MaxComments-4))
	refused := make(chan error, 8)
	w.ok(together(8, func(int) error {
		_, err := w.comment(remark)
		refused <- err
		return nil
	}))
	kept := 0
	for range cap(refused) {
		if err := <-refused; err == nil {
			kept++
		} else {
			w.wantFault(err, fault.Conflict, "too_many_comments")
		}
	}
	if kept != 2 {
		t.Errorf("%d comments were stored beyond the limit", kept-2)
	}

	// A proposal that has been decided accepts no more reviews. Its comments remain until the project is deleted.
	merged, err := w.moveProposal(p, proposal.Merged)
	w.ok(err)
	w.wantFault(only(w.comment(remark)), fault.Conflict, "wrong_state")
	w.wantFault(w.approve(proposal.Approval{OrganizationID: o.ID, ProposalID: merged.ID, Author: "mem_1"}), fault.Conflict,
		"wrong_state")
	w.tx(func(tx *store.Tx) error { return tx.DeleteProject(w.ctx, o.ID, project.ID) })
	if n := w.count(`SELECT (SELECT count(*) FROM proposal_comments) + (SELECT count(*) FROM proposal_approvals)`); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}
