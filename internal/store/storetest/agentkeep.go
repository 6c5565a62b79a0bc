package storetest

import (
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/store"
)

func (w *world) notePull(j agentjob.Job, head string, number int64, state agentjob.PullState) (found bool) {
	w.t.Helper()
	w.tx(func(tx *store.Tx) error {
		jobID, ok, err := tx.NoteAgentPull(w.ctx, j.ProjectID, head, number, state,
			agentjob.Entry{Code: "pull_" + string(state), Text: "It changed."})
		if found = ok; ok && jobID != j.ID {
			w.t.Errorf("got job %s", jobID)
		}
		return err
	})
	return found
}

func testAgentPull(t *testing.T, database func(*testing.T) string) {
	t.Run("is recorded once, by its branch and number", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		j, h := w.heldAgentJob(p)
		_, err := w.s.RecordAgent(w.ctx, h, lease,
			store.AgentProgress{Ref: "lectern/a-1", PRLink: "l", PRNumber: 7, PRState: agentjob.PullOpen})
		w.ok(err)
		w.ok(w.s.CompleteAgentJob(w.ctx, h, 1, agentjob.Changed))
		for i, c := range []struct {
			head    string
			number  int64
			state   agentjob.PullState
			found   bool
			want    agentjob.PullState
			entries int
		}{
			{"main", 7, agentjob.PullMerged, false, agentjob.PullOpen, 1},
			{"", 7, agentjob.PullMerged, false, agentjob.PullOpen, 1},
			{"lectern/a-1", 8, agentjob.PullMerged, false, agentjob.PullOpen, 1},
			{"lectern/a-1", 7, agentjob.PullOpen, true, agentjob.PullOpen, 1},
			{"lectern/a-1", 7, agentjob.PullClosed, true, agentjob.PullClosed, 2},
			{"lectern/a-1", 7, agentjob.PullClosed, true, agentjob.PullClosed, 2},
			{"lectern/a-1", 7, agentjob.PullOpen, true, agentjob.PullOpen, 3},
			{"lectern/a-1", 7, agentjob.PullMerged, true, agentjob.PullMerged, 4},
			{"lectern/a-1", 7, agentjob.PullClosed, true, agentjob.PullMerged, 4},
		} {
			found := w.notePull(j, c.head, c.number, c.state)
			if got := w.findAgentJob(j); found != c.found || got.PRState != c.want ||
				len(w.entries(j.ID)) != c.entries || got.Status != agentjob.Completed {
				t.Errorf("step %d: found %v, %+v, %d entries", i, found, got, len(w.entries(j.ID)))
			}
		}
	})
	t.Run("a pull request of an earlier branch finds the job without changing it", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		j, h := w.heldAgentJob(p)
		first, next := agentjob.Branch(j.ID, "Fix it"), agentjob.NextBranch(j.ID, "Fix it", 2)
		_, err := w.s.RecordAgent(w.ctx, h, lease, store.AgentProgress{Ref: first, BaseCommit: "c1", HeadCommit: "c2",
			PRLink: "l", PRNumber: 7, PRState: agentjob.PullMerged})
		w.ok(err)
		got, err := w.s.RecordAgent(w.ctx, h, lease, store.AgentProgress{Fresh: true, Ref: next, BaseCommit: "c3"})
		w.ok(err)
		if got.Ref != next || got.BaseCommit != "c3" || got.HeadCommit != "" || got.PRLink != "" || got.PRNumber != 0 ||
			got.PRState != "" {
			t.Errorf("it is %+v", got)
		}
		if w.notePull(j, first, 7, agentjob.PullClosed) || w.findAgentJob(j).PRState != "" {
			t.Errorf("it is %+v", w.findAgentJob(j))
		}
		for branch, found := range map[string]bool{first: true, next: true, "lectern/fix-it-aaaaaaaaaa": false, "main": false} {
			got, err := w.s.FindAgentJobByPastBranch(w.ctx, p.ID, branch)
			if (err == nil) != found || found && got.ID != j.ID {
				t.Errorf("%s: %+v, %v", branch, got, err)
			}
		}
		if _, err := w.s.FindAgentJobByPastBranch(w.ctx, "prj_other", first); err == nil {
			t.Error("another project's branch leads to the job")
		}
	})
	t.Run("is recorded for an archived job too", func(t *testing.T) {
		w := newWorld(t, database)
		j, h := w.heldAgentJob(w.project(w.organization("a").ID))
		_, err := w.s.RecordAgent(w.ctx, h, lease, store.AgentProgress{Ref: "lectern/a-1", PRLink: "l", PRNumber: 7, PRState: agentjob.PullOpen})
		w.ok(err)
		w.ok(w.archive(j))
		if !w.notePull(j, "lectern/a-1", 7, agentjob.PullMerged) || w.findAgentJob(j).PRState != agentjob.PullMerged {
			t.Errorf("it is %+v", w.findAgentJob(j))
		}
	})
}

func testAgentKeep(t *testing.T, database func(*testing.T) string) {
	t.Run("ended jobs are archived, and their records deleted later", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p := w.project(o.ID)
		const keep = 24 * time.Hour
		active, done := w.agentJobIn(p, agentjob.Active), w.agentJobIn(p, agentjob.Completed)
		failed := w.agentJobIn(p, agentjob.Failed)
		w.clock.advance(keep - time.Second)
		touched := w.agentJobIn(p, agentjob.Completed)
		step := func(archived int, dropped int64) {
			t.Helper()
			n, err := w.s.ArchiveEndedAgentJobs(w.ctx, keep)
			w.ok(err)
			d, err := w.s.DropAgentRecords(w.ctx, keep)
			w.ok(err)
			if n != archived || d != dropped {
				t.Errorf("%d were archived, %d entries dropped, want %d and %d", n, d, archived, dropped)
			}
		}
		step(0, 0)
		w.clock.advance(2 * time.Second)
		step(2, 0)
		step(0, 0)
		for _, j := range []agentjob.Job{done, failed} {
			if got := w.findAgentJob(j); got.Status != agentjob.Archived || got.ArchivedAt == nil ||
				got.Error != j.Error {
				t.Errorf("it is %+v", got)
			}
		}
		if w.findAgentJob(active).Status != agentjob.Active || w.findAgentJob(touched).Status != agentjob.Completed {
			t.Error("an active or recently changed job was archived")
		}
		if n := w.count(`SELECT count(*) FROM events WHERE action = 'agent.archive' AND actor = 'system'`); n != 2 {
			t.Errorf("%d events record it", n)
		}
		w.clock.advance(keep + time.Second)
		step(1, 5) // the two entries of done, the three of failed
		if len(w.entries(done.ID)) != 0 || len(w.entries(active.ID)) != 1 ||
			w.count(`SELECT count(*) FROM tasks WHERE id = $1`, done.ID) != 0 {
			t.Error("the wrong records were deleted")
		}
		w.findAgentJob(done)
	})
	t.Run("a deleted project's jobs are stopped", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		waiting, done := w.agentJobIn(p, agentjob.Active), w.agentJobIn(p, agentjob.Completed)
		w.tx(func(tx *store.Tx) error { return tx.DeleteProject(w.ctx, p.OrganizationID, p.ID) })
		if got := w.findAgentJob(waiting); got.Status != agentjob.Archived ||
			w.findAgentJob(done).Status != agentjob.Completed {
			t.Errorf("it is %+v", got)
		}
	})
}
