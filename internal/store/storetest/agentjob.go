package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/agentjob"
	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/id"
	"github.com/lectern-docs/lectern/internal/store"
)

func (w *world) agentJob(organizationID string) (j agentjob.Job) {
	w.t.Helper()
	w.tx(func(tx *store.Tx) (err error) {
		j, err = tx.CreateAgentJob(w.ctx, agentjob.Job{OrganizationID: organizationID, ProjectID: "prj_a", Repository: "https://git.example/docs.git", Ref: "lectern/x", Model: "m"})
		return err
	})
	return j
}

func (w *world) moveAgentJob(j agentjob.Job, to agentjob.Status, link string) error {
	return w.s.Tx(w.ctx, func(tx *store.Tx) error { return tx.MoveAgentJob(w.ctx, j, to, link) })
}

func (w *world) findAgentJob(j agentjob.Job) agentjob.Job {
	w.t.Helper()
	found, err := w.s.FindAgentJob(w.ctx, j.OrganizationID, j.ProjectID, j.ID)
	w.ok(err)
	return found
}

var agentStatuses = []agentjob.Status{agentjob.Active, agentjob.Completed, agentjob.Failed, agentjob.Archived}

func testAgentJob(t *testing.T, database func(*testing.T) string) {
	t.Run("is found as it was stored, in its project and organization only (A8)", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		made := w.agentJob(a.ID)
		if found := w.findAgentJob(made); found != made || made.Status != agentjob.Active || !id.Has(id.AgentJob, made.ID) {
			t.Errorf("stored %+v\n found %+v", made, found)
		}
		for _, wrong := range [][3]string{{b.ID, "prj_a", made.ID}, {a.ID, "prj_b", made.ID}, {a.ID, "prj_a", "aj_none"}} {
			_, err := w.s.FindAgentJob(w.ctx, wrong[0], wrong[1], wrong[2])
			w.wantFault(err, fault.NotFound, "unknown_agent_job")
		}
	})
	t.Run("moves as the noun says and no other way (J4)", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		for _, from := range agentStatuses {
			for _, to := range agentStatuses {
				j := w.agentJob(o.ID)
				if from != agentjob.Active {
					w.ok(w.moveAgentJob(j, from, "https://git.example/pr/1"))
				}
				j = w.findAgentJob(j)
				w.clock.advance(time.Second)
				err := w.moveAgentJob(j, to, "")
				if want := agentjob.CheckEdge(from, to); (want == nil) != (err == nil) || (err != nil && !fault.Is(err, fault.Conflict)) {
					t.Errorf("%s to %s: %v, want %v", from, to, err, want)
				}
				got := w.findAgentJob(j)
				if err != nil && got.Status != from || err == nil && got.Status != to || got.PRLink != j.PRLink || (got.ArchivedAt != nil) != (got.Status == agentjob.Archived) {
					t.Errorf("%s to %s gave %+v", from, to, got)
				}
			}
		}
	})
	t.Run("is not moved by who saw an older state", func(t *testing.T) {
		w := newWorld(t, database)
		seen := w.agentJob(w.organization("a").ID)
		w.ok(w.moveAgentJob(seen, agentjob.Archived, ""))
		w.wantFault(w.moveAgentJob(seen, agentjob.Completed, ""), fault.Conflict, "wrong_state")
	})
	t.Run("moves along its edges only, by rule of the database (J4)", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		for _, from := range agentStatuses {
			for _, to := range agentStatuses {
				j := w.agentJob(o.ID)
				if from != agentjob.Active {
					w.ok(w.moveAgentJob(j, from, ""))
				}
				err := w.exec(`UPDATE agent_jobs SET status = $2, archived_at = CASE WHEN $2 = 'archived' THEN 1 ELSE NULL END WHERE id = $1`, j.ID, string(to))
				// Staying is no edge: other columns of a job that is not archived may change.
				want := agentjob.CheckEdge(from, to) == nil || from == to && from != agentjob.Archived
				if (err == nil) != want {
					t.Errorf("%s allowed: %v, want %v (%v)", fmt.Sprint(from, " to ", to), err == nil, want, err)
				}
			}
		}
	})
}
