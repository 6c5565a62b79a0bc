package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func testAgentRun(t *testing.T, database func(*testing.T) string) {
	t.Run("its progress is available to the next attempt (G7)", func(t *testing.T) {
		w := newWorld(t, database)
		j, h := w.heldAgentJob(w.project(w.organization("a").ID))
		w.clock.advance(time.Second)
		_, err := w.s.RecordAgent(w.ctx, h, lease, store.AgentProgress{Ref: "lectern/do-it-x", BaseCommit: "c1"},
			agentjob.Entry{Kind: agentjob.Answer,
				Used: agentjob.Use{Steps: 1, InputTokens: 5, OutputTokens: 2, CostMicros: 9}})
		w.ok(err)
		got, err := w.s.RecordAgent(w.ctx, h, lease,
			store.AgentProgress{HeadCommit: "c2", Title: "T", Summary: "S", PRLink: "https://git.example/pr/7",
				PRNumber: 7, PRState: agentjob.PullOpen},
			agentjob.Entry{Kind: agentjob.Answer, Used: agentjob.Use{Steps: 1, InputTokens: 6}},
			agentjob.Entry{Kind: agentjob.Note, Used: agentjob.Use{Steps: 50}})
		w.ok(err)
		want := j
		want.Ref, want.BaseCommit, want.HeadCommit, want.Title, want.Summary = "lectern/do-it-x", "c1", "c2", "T", "S"
		want.PRLink, want.PRNumber, want.PRState = "https://git.example/pr/7", 7, agentjob.PullOpen
		want.Used, want.UpdatedAt = agentjob.Use{Steps: 2, InputTokens: 11, OutputTokens: 2, CostMicros: 9},
			j.CreatedAt.Add(time.Second)
		if got != want || w.findAgentJob(j) != want {
			t.Errorf("got %+v\n want %+v", got, want)
		}
		w.clock.advance(lease + time.Second)
		_, err = w.s.RequeueLapsed(w.ctx)
		w.ok(err)
		if again, err := w.s.StartAgentJob(w.ctx, hold(w.take("other")), lease); err != nil || again != want {
			t.Errorf("the next attempt finds %+v (error %v)", again, err)
		}
	})
	t.Run("is not completed with an unread prompt", func(t *testing.T) {
		w := newWorld(t, database)
		j, h := w.heldAgentJob(w.project(w.organization("a").ID))
		_, err := w.sendMessage(j, "And this.")
		w.ok(err)
		if err := w.s.CompleteAgentJob(w.ctx, h, 1, agentjob.Changed, agentjob.Entry{Kind: agentjob.Note, Code: "done"}); !errors.Is(err,
			agentjob.ErrUnread) {
			t.Fatalf("error is %v", err)
		}
		if k := w.findTask(j.ID); k.State != task.Running || w.findAgentJob(j).Status != agentjob.Active ||
			len(w.entries(j.ID)) != 2 {
			t.Errorf("the task was ended anyway: %+v", k)
		}
		w.ok(w.s.CompleteAgentJob(w.ctx, h, 2, agentjob.Changed, agentjob.Entry{Kind: agentjob.Note, Code: "done"}))
		if got := w.findAgentJob(j); got.Status != agentjob.Completed || got.PRLink != "" ||
			w.findTask(j.ID).State != task.Done || len(w.entries(j.ID)) != 3 {
			t.Errorf("it is %+v", got)
		}
	})
	t.Run("a failure is recorded with its reason (J6)", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		for given, want := range map[string]string{"The site does not build.": "The site does not build.",
			"":       "An internal error occurred.",
			"a\x00b": "a\ufffdb"} {
			j, h := w.heldAgentJob(p)
			w.ok(w.s.FailAgentJob(w.ctx, h, given))
			list := w.entries(j.ID)
			if got := w.findAgentJob(j); got.Status != agentjob.Failed || got.Error != want ||
				list[len(list)-1].Code != "failed" || list[len(list)-1].Text != want {
				t.Errorf("%q: %+v, %+v", given, got, list)
			}
		}
	})
	t.Run("a message during completion is not lost", testAgentRace(database))
	t.Run("late writes are refused (J3)", testAgentFence(database))
}

// testAgentRace completes a job while messages arrive. No matter which comes first, in the end every prompt has been
// read or is waiting to be read.
func testAgentRace(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		other := w.replica()
		for range 15 {
			j, h := w.heldAgentJob(p)
			var ended error
			w.ok(together(2, func(i int) error {
				if i == 0 {
					ended = other.CompleteAgentJob(w.ctx, h, 1, agentjob.Changed)
					return nil
				}
				_, err := w.sendMessage(j, "More.")
				return err
			}))
			got, k := w.findAgentJob(j), w.findTask(j.ID)
			switch {
			case errors.Is(ended, agentjob.ErrUnread): // the message came first
				if got.Status != agentjob.Active || got.Round != 1 || k.State != task.Running {
					t.Errorf("unread: %+v, %+v", got, k)
				}
				w.ok(w.s.CompleteAgentJob(w.ctx, h, 2, agentjob.Changed))
			case ended == nil: // the end came first, and the message began a new round
				if got.Status != agentjob.Active || got.Round != 2 || k.State != task.Queued || k.Attempts != 0 {
					t.Errorf("ended: %+v, %+v", got, k)
				}
				w.ok(w.s.CompleteAgentJob(w.ctx, hold(w.take("w")), 2, agentjob.Changed))
			default:
				t.Fatal(ended)
			}
		}
	}
}

// J3: an attempt that has lost its lease cannot write anything.
func testAgentFence(database func(*testing.T) string) func(*testing.T) {
	late := map[string]func(*world, task.Hold) error{
		"start": func(w *world, h task.Hold) error { _, err := w.s.StartAgentJob(w.ctx, h, lease); return err },
		"record": func(w *world, h task.Hold) error {
			_, err := w.s.RecordAgent(w.ctx, h, lease, store.AgentProgress{Summary: "late"},
				agentjob.Entry{Kind: agentjob.Note})
			return err
		},
		"complete": func(w *world, h task.Hold) error { return w.s.CompleteAgentJob(w.ctx, h, 99, agentjob.Changed) },
		"fail":     func(w *world, h task.Hold) error { return w.s.FailAgentJob(w.ctx, h, "Late.") },
		"beat":     func(w *world, h task.Hold) error { _, err := w.s.Beat(w.ctx, h, lease); return err },
	}
	meanwhile := map[string]func(*world, agentjob.Job, task.Hold){
		"another worker has it": func(w *world, _ agentjob.Job, _ task.Hold) { w.lapse(); w.take("new") },
		"another worker ended": func(w *world, _ agentjob.Job, _ task.Hold) {
			w.lapse()
			w.ok(w.s.CompleteAgentJob(w.ctx, hold(w.take("new")), 1, agentjob.Changed))
		},
		"it was stopped": func(w *world, j agentjob.Job, _ task.Hold) {
			w.tx(func(tx *store.Tx) error {
				_, err := tx.StopAgentJob(w.ctx, j.OrganizationID, j.ProjectID, j.ID)
				return err
			})
		},
		"it was archived": func(w *world, j agentjob.Job, _ task.Hold) { w.ok(w.archive(j)) },
		"its project is deleted": func(w *world, j agentjob.Job, _ task.Hold) {
			w.tx(func(tx *store.Tx) error { return tx.DeleteProject(w.ctx, j.OrganizationID, j.ProjectID) })
		},
		"a message began a new round": func(w *world, j agentjob.Job, h task.Hold) {
			w.ok(w.s.CompleteAgentJob(w.ctx, h, 1, agentjob.Changed))
			_, err := w.sendMessage(j, "More.")
			w.ok(err)
		},
		"the new round has begun": func(w *world, j agentjob.Job, h task.Hold) {
			w.ok(w.s.FailAgentJob(w.ctx, h, "No."))
			_, err := w.sendMessage(j, "More.")
			w.ok(err)
			w.take("new")
		},
	}
	return func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		for moment, happen := range meanwhile {
			for name, write := range late {
				w.ok(w.exec(`UPDATE tasks SET state = 'done' WHERE state <> 'done'`)) // left from the previous case
				j, h := w.heldAgentJob(w.project(o.ID))
				happen(w, j, h)
				job, k, lines := w.findAgentJob(j), w.findTask(j.ID), len(w.entries(j.ID))
				w.clock.advance(time.Second)
				w.wantLost(name+" when "+moment, write(w, h))
				if got := w.findAgentJob(j); got.UpdatedAt != job.UpdatedAt || got.Status != job.Status ||
					w.findTask(j.ID) != k || len(w.entries(j.ID)) != lines {
					t.Errorf("%s when %s changed it to %+v", name, moment, got)
				}
			}
		}
	}
}

// lapse lets every lease expire.
func (w *world) lapse() {
	w.t.Helper()
	w.clock.advance(lease + time.Second)
	_, err := w.s.RequeueLapsed(w.ctx)
	w.ok(err)
}

// redo requests that the job start over.
func (w *world) redo(j agentjob.Job) (made agentjob.Job, err error) {
	err = w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
		made, err = tx.RedoAgentJob(w.ctx, j.OrganizationID, j.ProjectID, j.ID, "key_1")
		return err
	})
	return made, err
}

func testAgentRedo(t *testing.T, database func(*testing.T) string) {
	w := newWorld(t, database)
	j, h := w.heldAgentJob(w.project(w.organization("a").ID))
	_, err := w.redo(j)
	w.wantFault(err, fault.Conflict, "wrong_state")
	w.ok(w.s.CompleteAgentJob(w.ctx, h, 1, agentjob.NothingToDo))
	_, err = w.redo(j)
	w.wantFault(err, fault.Conflict, "no_open_pull")
	_, err = w.sendMessage(j, "More.")
	w.ok(err)
	h = hold(w.take("new"))
	_, err = w.s.RecordAgent(w.ctx, h, lease, store.AgentProgress{Ref: "lectern/a", BaseCommit: "c1", HeadCommit: "c2",
		PRLink: "l", PRNumber: 7, PRState: agentjob.PullOpen})
	w.ok(err)
	w.ok(w.s.CompleteAgentJob(w.ctx, h, 99, agentjob.Changed))
	w.waker.taken()
	got, err := w.redo(j)
	w.ok(err)
	list := w.entries(j.ID)
	last := list[len(list)-1]
	if got.Status != agentjob.Active || got.Round != 3 || got.BaseCommit != "" || got.HeadCommit != "c2" ||
		last.Kind != agentjob.Prompt || last.Code != agentjob.Redo || last.Author != "key_1" || last.Round != 3 ||
		len(w.waker.taken()) == 0 {
		t.Errorf("it is %+v with %+v", got, last)
	}
	w.ok(w.archive(j))
	_, err = w.redo(j)
	w.wantFault(err, fault.Conflict, "wrong_state")
	_, err = w.redo(agentjob.Job{OrganizationID: "org_x", ProjectID: j.ProjectID, ID: j.ID})
	w.wantFault(err, fault.NotFound, "unknown_agent_job")
}

func testAgentSay(t *testing.T, database func(*testing.T) string) {
	t.Run("a message to an active job waits for its next step", func(t *testing.T) {
		w := newWorld(t, database)
		j, h := w.heldAgentJob(w.project(w.organization("a").ID))
		_, err := w.s.RecordAgent(w.ctx, h, lease, store.AgentProgress{BaseCommit: "c1"})
		w.ok(err)
		w.waker.taken()
		got, err := w.sendMessage(j, "And this.")
		w.ok(err)
		list := w.entries(j.ID)
		if got.Status != agentjob.Active || got.Round != 1 || got.BaseCommit != "c1" || len(list) != 2 ||
			list[1].Text != "And this." || list[1].Round != 1 || len(w.waker.taken()) != 0 {
			t.Errorf("it is %+v with %+v", got, list)
		}
	})
	t.Run("a message to an ended job starts a new round on its branch and pull request (G7)", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		for _, fails := range []bool{false, true} {
			j, h := w.heldAgentJob(p)
			_, err := w.s.RecordAgent(w.ctx, h, lease,
				store.AgentProgress{Ref: "lectern/a-" + j.ID, BaseCommit: "c1", HeadCommit: "c2", Summary: "S",
					PRLink: "https://git.example/pr/7", PRNumber: 7, PRState: agentjob.PullOpen})
			w.ok(err)
			if fails {
				w.ok(w.s.FailAgentJob(w.ctx, h, "No."))
			} else {
				w.ok(w.s.CompleteAgentJob(w.ctx, h, 1, agentjob.Changed))
			}
			before := w.findAgentJob(j)
			w.clock.advance(time.Hour)
			w.waker.taken()
			got, err := w.sendMessage(j, "More.")
			w.ok(err)
			want := before
			want.Outcome = ""
			want.Status, want.Round, want.BaseCommit, want.Summary, want.Error, want.UpdatedAt = agentjob.Active, 2, "",
				"", "", got.UpdatedAt
			if got != want || len(w.waker.taken()) != 1 {
				t.Errorf("it is %+v\n want %+v", got, want)
			}
			k := w.take("w")
			if k.ID != j.ID || k.Attempts != 1 || k.Fence != h.Fence+1 || k.CancelAsked {
				t.Errorf("the task is %+v", k)
			}
			list := w.entries(j.ID)
			if last := list[len(list)-1]; last.Round != 2 || last.Text != "More." || int(last.Sequence) != len(list) {
				t.Errorf("the record is %+v", list)
			}
		}
	})
	t.Run("a message to an archived job is a conflict", func(t *testing.T) {
		w := newWorld(t, database)
		j := w.agentJobIn(w.project(w.organization("a").ID), agentjob.Archived)
		_, err := w.sendMessage(j, "More.")
		w.wantFault(err, fault.Conflict, "wrong_state")
		w.wantFault(w.archive(j), fault.Conflict, "wrong_state")
		if k := w.findTask(j.ID); k.State != task.Done || !k.CancelAsked || w.findAgentJob(j).ArchivedAt == nil {
			t.Errorf("the task is %+v", k)
		}
	})
	t.Run("messages per project and hour are limited across servers (A5)", testAgentLimit(database))
}

// A5: the number of a project's prompts per hour is limited, across all servers.
func testAgentLimit(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p, other := w.project(o.ID), w.project(o.ID)
		j := w.agentJob(p)
		w.clock.advance(10 * time.Minute)
		replicas := []*store.Store{w.s, w.replica()}
		const callers, each = 6, 20
		var refused [callers]int
		w.ok(together(callers, func(i int) error {
			for range each {
				err := replicas[i%2].Tx(w.ctx, func(tx *store.Tx) error {
					_, err := tx.SayToAgentJob(w.ctx, o.ID, p.ID, j.ID, messageEntry("x"))
					return err
				})
				if fault.HasCode(err, "agent_rate_limit") {
					refused[i]++
				} else if err != nil {
					return err
				}
			}
			return nil
		}))
		sum := 0
		for _, n := range refused {
			sum += n
		}
		if taken := 1 + callers*each - sum; taken != agentjob.HourlyPrompts {
			t.Errorf("%d prompts were accepted, want %d", taken, agentjob.HourlyPrompts)
		}
		_, err := w.sendMessage(j, "x")
		f, _ := fault.As(err)
		if f == nil || f.Kind != fault.RateLimited || f.RetryAfter != 50*time.Minute {
			t.Fatalf("the refusal is %v", err)
		}
		w.agentJob(other) // another project has a separate count
		w.clock.advance(f.RetryAfter)
		_, err = w.sendMessage(j, "x") // the first prompt is now an hour old
		w.ok(err)
		_, err = w.sendMessage(j, "x")
		w.wantFault(err, fault.RateLimited, "agent_rate_limit")
		w.clock.advance(-2 * time.Hour) // a clock that is set back blocks no caller (J10)
		_, err = w.sendMessage(j, "x")
		w.ok(err)
	}
}
