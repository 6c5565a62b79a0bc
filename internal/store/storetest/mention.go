package storetest

import (
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// testMentions checks that a request on a code host is stored only once and decided only once, and that changes are
// reported.
func testMentions(t *testing.T, database func(*testing.T) string) {
	w := newWorld(t, database)
	o := w.organization("a")
	p := w.project(o.ID, "docs.example.com")
	add := func(source, author string) (fresh bool, err error) {
		err = w.s.Tx(w.ctx, func(tx *store.Tx) error {
			fresh, err = tx.AddMention(w.ctx, automation.Mention{OrganizationID: o.ID, ProjectID: p.ID, Source: source,
				Trigger: automation.OnComment, Number: 7, Author: author, Request: "fix it", Given: "Pull request #7"})
			return err
		})
		return fresh, err
	}
	take := func() (task.Hold, bool) {
		t.Helper()
		k, ok, err := w.s.TakeTask(w.ctx, "w", lease, false, task.Mention)
		w.ok(err)
		return task.Hold{TaskID: k.ID, Fence: k.Fence}, ok
	}
	for i, want := range []bool{true, false} {
		if fresh, err := add("comment 1", "quill"); err != nil || fresh != want {
			t.Fatalf("%d: %v, %v", i, fresh, err)
		}
	}
	h, ok := take()
	if _, more := take(); !ok || more {
		t.Fatalf("tasks: %v, %v", ok, more)
	}
	var j agentjob.Job
	w.tx(func(tx *store.Tx) error {
		m, err := tx.HoldMention(w.ctx, h, o.ID, lease)
		if err != nil || m.State != automation.MentionNew || m.Request != "fix it" {
			t.Fatalf("%+v, %v", m, err)
		}
		if j, err = tx.CreateAgentJob(w.ctx, agentjob.Job{OrganizationID: o.ID, ProjectID: p.ID, Model: "m", OnPull: true, Ref: "better",
			PRNumber: 7, PRLink: "https://x/7", PRState: agentjob.PullOpen}, agentjob.Entry{Text: "fix it"}); err != nil {
			return err
		}
		m.State, m.JobID = automation.MentionStarted, j.ID
		return tx.DecideMention(w.ctx, m, false)
	})
	if found, err := w.s.FindAgentJobByID(w.ctx, j.ID); err != nil || !found.OnPull || found.Ref != "better" || found.PRNumber != 7 {
		t.Errorf("%+v, %v", found, err)
	}
	if _, err := w.s.FindAgentJobByBranch(w.ctx, p.ID, "better"); !fault.Is(err, fault.NotFound) {
		t.Errorf("a user's branch is found as a job's branch: %v", err)
	}
	m, err := w.s.FindMention(w.ctx, h.TaskID)
	w.ok(err)
	k, ok, err := w.s.TakeTask(w.ctx, "w", lease, false, task.Agent)
	if err != nil || !ok {
		t.Fatal(err)
	}
	// The job ends while its start is being reported, so the task waits again.
	w.ok(w.s.CompleteAgentJob(w.ctx, task.Hold{TaskID: k.ID, Fence: k.Fence}, 9, agentjob.Changed))
	m.ReplyID = "12"
	w.ok(w.s.EndReply(w.ctx, h, m, ""))
	again, ok := take()
	if m, err = w.s.FindMention(w.ctx, h.TaskID); err != nil || !ok || again.TaskID != h.TaskID || m.ReplyID != "12" || m.Wanted != 2 {
		t.Fatalf("%v, %+v, %v", ok, m, err)
	}
	w.ok(w.s.PostponeReply(w.ctx, again, m, "busy", time.Minute))
	if _, early := take(); early {
		t.Error("a postponed reply was taken at once")
	}
	w.clock.advance(2 * time.Minute)
	last, ok := take()
	if !ok {
		t.Fatal("a postponed reply does not wait")
	}
	w.ok(w.s.EndReply(w.ctx, last, m, ""))
	if _, more := take(); more {
		t.Error("a reply without changes was taken")
	}
	w.tx(func(tx *store.Tx) error { _, err := tx.ArchiveAgentJob(w.ctx, o.ID, p.ID, j.ID); return err })
	if _, more := take(); more {
		t.Error("the end of a job was reported again when it was archived")
	}
	for i, again := range []bool{true, false} {
		if fresh, err := add("label 1", "quill"); err != nil || !fresh {
			t.Fatalf("label, %d: %v, %v", i, fresh, err)
		}
		h, _ := take()
		w.tx(func(tx *store.Tx) error {
			m, err := tx.HoldMention(w.ctx, h, o.ID, lease)
			w.ok(err)
			m.State = automation.MentionIgnored
			return tx.DecideMention(w.ctx, m, again)
		})
		w.ok(w.s.EndReply(w.ctx, h, automation.Mention{}, ""))
	}
	if fresh, err := add("label 1", "quill"); err != nil || fresh {
		t.Errorf("a source that was not freed: %v, %v", fresh, err)
	}
	w.tx(func(tx *store.Tx) error {
		return tx.NoteOnPull(w.ctx, p.ID, 7, agentjob.PullMerged, agentjob.Entry{Code: "pull_merged", Text: "Merged."})
	})
	if found, err := w.s.FindAgentJobByID(w.ctx, j.ID); err != nil || found.PRState != agentjob.PullMerged {
		t.Errorf("%+v, %v", found, err)
	}
}
