package storetest

import (
	"fmt"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

func (w *world) propose(p project.Project, head string) (made proposal.Proposal, err error) {
	err = w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
		made, err = tx.CreateProposal(w.ctx,
			proposal.Proposal{OrganizationID: p.OrganizationID, ProjectID: p.ID, Title: "T", Body: "B", Head: head,
				Base: "main", Draft: true})
		return err
	})
	return made, err
}

func (w *world) moveProposal(p proposal.Proposal, to proposal.State) (moved proposal.Proposal, err error) {
	err = w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
		moved, err = tx.MoveProposal(w.ctx, p, to, "key_a", "c0ffee")
		return err
	})
	return moved, err
}

// proposalIn creates a proposal and moves it to a state.
func (w *world) proposalIn(p project.Project, head string, s proposal.State) proposal.Proposal {
	w.t.Helper()
	made, err := w.propose(p, head)
	w.ok(err)
	if s != proposal.Open {
		made, err = w.moveProposal(made, s)
		w.ok(err)
	}
	return made
}

func testProposal(t *testing.T, database func(*testing.T) string) {
	t.Run("is found unchanged, with the project's next number", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p, other := w.project(o.ID), w.project(o.ID)
		first := w.proposalIn(p, "lectern/a", proposal.Open)
		w.clock.advance(time.Second)
		second := w.proposalIn(p, "lectern/b", proposal.Open)
		third := w.proposalIn(other, "lectern/a", proposal.Open)
		if first.Number != 1 || second.Number != 2 || third.Number != 1 || !id.Has(id.Proposal, first.ID) ||
			first.State != proposal.Open || !first.Draft {
			t.Errorf("%+v, %+v, %+v", first, second, third)
		}
		for _, find := range []func() (proposal.Proposal, error){
			func() (proposal.Proposal, error) { return w.s.FindProposal(w.ctx, first.ID) },
			func() (proposal.Proposal, error) { return w.s.FindProposalByHead(w.ctx, p.ID, "lectern/a") },
			func() (proposal.Proposal, error) { return w.s.FindProposalByNumber(w.ctx, p.ID, 1) },
		} {
			if got, err := find(); err != nil || got != first {
				t.Errorf("found %+v (error %v)", got, err)
			}
		}
		list, next, err := w.s.ListProposals(w.ctx, o.ID, p.ID, store.Page{Limit: 1})
		w.ok(err)
		more, end, err := w.s.ListProposals(w.ctx, o.ID, p.ID, store.Page{Limit: 1, Cursor: next})
		w.ok(err)
		if got := append(list, more...); !reflect.DeepEqual(got, []proposal.Proposal{second, first}) || end != "" {
			t.Errorf("listed %+v, then %q", got, end)
		}
		if list, _, err := w.s.ListProposals(w.ctx, "org_x", p.ID, store.Page{Limit: 5}); err != nil || len(list) != 0 {
			t.Errorf("another organization sees %d (error %v)", len(list), err)
		}
		for _, err := range []error{only(w.s.FindProposal(w.ctx, "pp_x")),
			only(w.s.FindProposalByHead(w.ctx, p.ID, "x")),
			only(w.s.FindProposalByNumber(w.ctx, p.ID, 9))} {
			w.wantFault(err, fault.NotFound, "unknown_proposal")
		}
		_, err = w.propose(project.Project{ID: p.ID, OrganizationID: "org_x"}, "x")
		w.wantFault(err, fault.NotFound, "unknown_project")
		w.tx(func(tx *store.Tx) error { return tx.DeleteProject(w.ctx, o.ID, p.ID) })
		w.wantFault(only(w.s.FindProposal(w.ctx, first.ID)), fault.NotFound, "unknown_proposal")
	})
	t.Run("a branch has one open proposal, even after concurrent requests (G7)", testProposalOnce(database))
	t.Run("allows only documented transitions (J4)", testProposalEdges(database))
	t.Run("can be changed until it is merged", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		for i, s := range []proposal.State{proposal.Open, proposal.Closed, proposal.Merged} {
			made := w.proposalIn(p, fmt.Sprint("lectern/", i), s)
			err := w.s.Tx(w.ctx, func(tx *store.Tx) error {
				got, err := tx.UpdateProposal(w.ctx, made.ID, "New\x00", "Text", false)
				if err == nil && (got.Title != "New\ufffd" || got.Body != "Text" || got.Draft || got.State != s) {
					t.Errorf("it is %+v", got)
				}
				return err
			})
			if s == proposal.Merged {
				w.wantFault(err, fault.Conflict, "wrong_state")
			} else {
				w.ok(err)
			}
		}
	})
}

func only[T any](_ T, err error) error { return err }

func testProposalOnce(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		var made, taken atomic.Int64
		w.ok(together(8, func(i int) error {
			_, err := w.propose(p, fmt.Sprint("lectern/", i%2))
			if fault.HasCode(err, "proposal_open") {
				taken.Add(1)
				return nil
			}
			made.Add(1)
			return err
		}))
		if made.Load() != 2 || taken.Load() != 6 || w.count(`SELECT max(number) FROM proposals`) != 2 {
			t.Errorf("%d were made, %d refused", made.Load(), taken.Load())
		}
		first, err := w.s.FindProposalByHead(w.ctx, p.ID, "lectern/0")
		w.ok(err)
		_, err = w.moveProposal(first, proposal.Closed)
		w.ok(err)
		again := w.proposalIn(p, "lectern/0", proposal.Open)
		if found, err := w.s.FindProposalByHead(w.ctx, p.ID, "lectern/0"); err != nil || found != again ||
			found.Number != 3 {
			t.Errorf("found %+v (error %v)", found, err)
		}
		closed, err := w.s.FindProposal(w.ctx, first.ID)
		w.ok(err)
		_, err = w.moveProposal(closed, proposal.Open)
		w.wantFault(err, fault.Conflict, "proposal_open")
	}
}

func testProposalEdges(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		all := []proposal.State{proposal.Open, proposal.Merged, proposal.Closed}
		n := 0
		for _, from := range all {
			for _, to := range all {
				want := proposal.CheckEdge(from, to) == nil
				n++
				made := w.proposalIn(p, fmt.Sprint("lectern/a", n), from)
				got, err := w.moveProposal(made, to)
				if (err == nil) != want || err != nil && !fault.Is(err, fault.Conflict) {
					t.Errorf("%s to %s: %v", from, to, err)
				}
				if err == nil && (got.State != to || (got.MergeCommit != "") != (to == proposal.Merged) ||
					(got.DecidedBy == "") != (to == proposal.Open)) {
					t.Errorf("%s to %s gave %+v", from, to, got)
				}
				n++
				made = w.proposalIn(p, fmt.Sprint("lectern/a", n), from)
				err = w.exec(`UPDATE proposals SET state = $2, decided_by = CASE WHEN $2 = 'open' THEN '' ELSE 'x' END,
					merge_commit = CASE WHEN $2 = 'merged' THEN 'c' ELSE '' END WHERE id = $1`, made.ID, string(to))
				// Keeping the state is not an edge, but it is allowed. The exception is a merged proposal, because it
				// has ended.
				if raw := want || from == to && from != proposal.Merged; (err == nil) != raw {
					t.Errorf("the database lets %s to %s: %v, want %v (%v)", from, to, err == nil, raw, err)
				}
			}
		}
		seen := w.proposalIn(p, "lectern/seen", proposal.Open)
		_, err := w.moveProposal(seen, proposal.Closed)
		w.ok(err)
		_, err = w.moveProposal(seen, proposal.Merged)
		w.wantFault(err, fault.Conflict, "wrong_state")
		_, err = w.moveProposal(proposal.Proposal{ID: "pp_x", State: proposal.Open}, proposal.Merged)
		w.wantFault(err, fault.NotFound, "unknown_proposal")
		for _, set := range []string{`number = 99`, `head = 'x'`, `state = 'merged', decided_by = 'x'`,
			`state = 'closed'`} {
			made := w.proposalIn(p, "lectern/"+set, proposal.Open)
			if err := w.exec(`UPDATE proposals SET `+set+` WHERE id = $1`, made.ID); err == nil {
				t.Errorf("the database allowed %s", set)
			}
		}
	}
}
