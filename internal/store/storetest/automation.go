package storetest

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

// automation stores an automation that runs every day at noon.
func (w *world) automation(organizationID, projectID, name string) (a automation.Automation, err error) {
	w.t.Helper()
	err = w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
		a, err = tx.CreateAutomation(w.ctx, automation.Automation{OrganizationID: organizationID, ProjectID: projectID,
			Name: name, Trigger: automation.OnSchedule, Workflow: "fix-links", MaxPerDay: 1, Enabled: true, Owner: "key_a",
			Schedule: automation.Schedule{Days: []time.Weekday{time.Monday, time.Sunday}, At: "12:00", TimeZone: "Europe/Berlin"}})
		return err
	})
	return a, err
}

func testAutomation(t *testing.T, database func(*testing.T) string) {
	t.Run("belongs to one project and has a unique name there", func(t *testing.T) {
		w := newWorld(t, database)
		o, other := w.organization("a"), w.organization("b")
		p, q := w.project(o.ID, "docs.example.com"), w.project(o.ID, "other.example.com")
		made, err := w.automation(o.ID, p.ID, "weekly")
		w.ok(err)
		// the clock says Sunday, 11:00 in Berlin
		if want := time.Date(2026, 3, 1, 11, 0, 0, 0, time.UTC); made.NextRunAt == nil || !made.NextRunAt.Equal(want) {
			t.Errorf("the first run is at %v", made.NextRunAt)
		}
		found, err := w.s.FindAutomation(w.ctx, o.ID, p.ID, made.ID)
		w.ok(err)
		byName, err := w.s.FindAutomationByName(w.ctx, o.ID, p.ID, "weekly")
		w.ok(err)
		if !reflect.DeepEqual(found, byName) || found.Schedule.At != "12:00" || len(found.Schedule.Days) != 2 ||
			found.Owner != "key_a" || !found.Enabled || found.LastRunAt != nil {
			t.Errorf("%+v", found)
		}
		for _, ask := range [][3]string{{other.ID, p.ID, made.ID}, {o.ID, q.ID, made.ID}, {o.ID, p.ID, "aut_none"}} {
			if _, err := w.s.FindAutomation(w.ctx, ask[0], ask[1], ask[2]); !fault.HasCode(err, "unknown_automation") {
				t.Errorf("%v: %v", ask, err)
			}
		}
		if _, err := w.automation(o.ID, p.ID, "weekly"); !fault.HasCode(err, "automation_exists") {
			t.Errorf("twice: %v", err)
		}
		if _, err := w.automation(other.ID, p.ID, "x"); !fault.HasCode(err, "unknown_project") {
			t.Errorf("in another organization's project: %v", err)
		}
		second, err := w.automation(o.ID, p.ID, "daily")
		w.ok(err)
		second.Name = "weekly"
		if err := w.s.Tx(w.ctx, func(tx *store.Tx) error { _, err := tx.UpdateAutomation(w.ctx, second); return err }); !fault.HasCode(err, "automation_exists") {
			t.Errorf("renamed to a name that is taken: %v", err)
		}
		if list, err := w.s.ListAutomations(w.ctx, o.ID, p.ID); err != nil || len(list) != 2 || list[0].Name != "daily" {
			t.Errorf("%+v, %v", list, err)
		}
		w.tx(func(tx *store.Tx) error { return tx.DeleteProject(w.ctx, o.ID, p.ID) })
		if list, err := w.s.ListDueAutomations(w.ctx, made.NextRunAt.AddDate(1, 0, 0), 10); err != nil || len(list) != 0 {
			t.Errorf("left behind: %+v, %v", list, err)
		}
	})
	t.Run("their number is limited", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p := w.project(o.ID, "docs.example.com")
		for n := range automation.MaxAutomations {
			_, err := w.automation(o.ID, p.ID, fmt.Sprint("a", n))
			w.ok(err)
		}
		if _, err := w.automation(o.ID, p.ID, "one-more"); !fault.HasCode(err, "too_many_automations") {
			t.Errorf("%v", err)
		}
	})
	t.Run("is due once, and never while it is off", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p := w.project(o.ID, "docs.example.com")
		a, err := w.automation(o.ID, p.ID, "weekly")
		w.ok(err)
		due := func() int {
			t.Helper()
			list, err := w.s.ListDueAutomations(w.ctx, w.clock.now(), 10)
			w.ok(err)
			return len(list)
		}
		if due() != 0 {
			t.Error("it is due before its time")
		}
		w.clock.advance(3 * 7 * 24 * time.Hour) // nothing has run for weeks
		if due() != 1 {
			t.Error("a missed run is not due")
		}
		w.tx(func(tx *store.Tx) error {
			held, err := tx.HoldAutomation(w.ctx, o.ID, p.ID, a.ID)
			if err != nil {
				return err
			}
			if _, err := tx.AddAutomationRun(w.ctx, held, automation.Run{Cause: automation.ByPerson,
				Decision: automation.WouldStart}, nil); err != nil {
				return err
			}
			held.Prompt = "Do more."
			_, err = tx.UpdateAutomation(w.ctx, held)
			return err
		})
		if due() != 1 {
			t.Error("a run by hand or a new prompt cancels the planned run")
		}
		w.clock.advance(time.Second)
		w.tx(func(tx *store.Tx) error {
			held, err := tx.HoldAutomation(w.ctx, o.ID, p.ID, a.ID)
			if err != nil {
				return err
			}
			_, err = tx.AddAutomationRun(w.ctx, held, automation.Run{Cause: automation.BySchedule, Decision: automation.Skipped,
				Reason: automation.NothingNew, Detail: "a\x00b"}, nil)
			return err
		})
		if due() != 0 {
			t.Error("missed runs are made up for more than once")
		}
		w.clock.advance(8 * 24 * time.Hour)
		a, err = w.s.FindAutomation(w.ctx, o.ID, p.ID, a.ID)
		w.ok(err)
		a.Enabled = false
		w.tx(func(tx *store.Tx) (err error) { a, err = tx.UpdateAutomation(w.ctx, a); return err })
		if due() != 0 || a.LastRunAt == nil || a.NextRunAt != nil {
			t.Errorf("off: %+v", a)
		}
		runs, next, err := w.s.ListAutomationRuns(w.ctx, a.ID, store.Page{Limit: 2})
		if err != nil || len(runs) != 2 || next != "" || runs[0].Detail != "a\ufffdb" || !id.Has(id.AutomationRun, runs[0].ID) {
			t.Errorf("%+v, %q, %v", runs, next, err)
		}
		w.clock.advance(automation.KeepRuns)
		w.tx(func(tx *store.Tx) error {
			_, err := tx.AddAutomationRun(w.ctx, a, automation.Run{Decision: automation.Skipped}, nil)
			return err
		})
		if runs, _, err := w.s.ListAutomationRuns(w.ctx, a.ID, store.Page{Limit: 10}); err != nil || len(runs) != 1 {
			t.Errorf("old entries: %+v, %v", runs, err)
		}
		w.tx(func(tx *store.Tx) error { return tx.DeleteAutomation(w.ctx, a) })
		if runs, _, err := w.s.ListAutomationRuns(w.ctx, a.ID, store.Page{Limit: 10}); err != nil || len(runs) != 0 {
			t.Errorf("log of a deleted automation: %+v, %v", runs, err)
		}
	})
	t.Run("is listed until it has examined the publication", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p := w.project(o.ID, "docs.example.com")
		a, err := w.automation(o.ID, p.ID, "broken")
		w.ok(err)
		change := func(f func(*automation.Automation)) {
			t.Helper()
			f(&a)
			w.tx(func(tx *store.Tx) (err error) { a, err = tx.UpdateAutomation(w.ctx, a); return err })
		}
		behind := func() int {
			t.Helper()
			list, err := w.s.ListAutomationsBehind(w.ctx, automation.OnFindings, 10)
			w.ok(err)
			return len(list)
		}
		change(func(a *automation.Automation) {
			a.Trigger, a.Schedule, a.AtLeast = automation.OnFindings, automation.Schedule{}, 7
		})
		if found, err := w.s.FindAutomation(w.ctx, o.ID, p.ID, a.ID); err != nil || found.AtLeast != 7 || behind() != 0 {
			t.Errorf("%+v, %v", found, err)
		}
		d, h := w.started(p, deploy.Production, "")
		d.ManifestKey = "m"
		w.ok(w.s.PublishDeployment(w.ctx, h, d))
		if behind() != 1 {
			t.Error("it does not wait for the publication")
		}
		w.tx(func(tx *store.Tx) error { return tx.SeePublication(w.ctx, a.ID, d.ID) })
		a, err = w.s.FindAutomation(w.ctx, o.ID, p.ID, a.ID)
		w.ok(err)
		if a.Seen != d.ID || behind() != 0 {
			t.Errorf("it waits for a publication that it knows: %+v", a)
		}
		upToDate := func(trigger automation.Trigger) int {
			t.Helper()
			list, err := w.s.ListAutomationsUpToDate(w.ctx, trigger)
			w.ok(err)
			return len(list)
		}
		if upToDate(automation.OnFindings) != 1 || upToDate(automation.OnAPI) != 0 {
			t.Error("it is not listed as up to date with the live site")
		}
		if list, err := w.s.ListAutomationsBehind(w.ctx, automation.OnAPI, 10); err != nil || len(list) != 0 {
			t.Errorf("automations with another trigger: %+v, %v", list, err)
		}
		w.tx(func(tx *store.Tx) error {
			return tx.NoticeDescriptions(w.ctx, a.ID, map[string]string{"https://api.example.com": "d"})
		})
		a, err = w.s.FindAutomation(w.ctx, o.ID, p.ID, a.ID)
		w.ok(err)
		if change(func(a *automation.Automation) { a.Prompt = "Mend it." }); behind() != 0 ||
			a.Noticed["https://api.example.com"] != "d" {
			t.Error("after a new prompt, the publication is forgotten")
		}
		if change(func(a *automation.Automation) { a.Enabled = false }); behind() != 0 || a.Seen != "" || a.Noticed != nil ||
			upToDate(automation.OnFindings) != 0 {
			t.Errorf("off: %+v", a)
		}
		no, yes := false, true
		for _, f := range []audience.Feedback{{Path: "/a", Helpful: &no, Comment: "Wrong."}, {Path: "/b", Helpful: &yes},
			{Path: "/c", Comment: "Hm."}} {
			f.ProjectID = p.ID
			f, _ = f.Clean()
			_, err := w.s.AddFeedback(w.ctx, f)
			w.ok(err)
		}
		now := w.clock.now()
		list, err := w.s.FindRemarks(w.ctx, p.ID, now.Add(-time.Hour), now, 10)
		if err != nil || len(list) != 1 || list[0] != (automation.Remark{Page: "/a", Comment: "Wrong."}) {
			t.Errorf("%+v, %v", list, err)
		}
		if list, err := w.s.FindRemarks(w.ctx, p.ID, now, now.Add(time.Hour), 10); err != nil || len(list) != 0 {
			t.Errorf("too old: %+v, %v", list, err)
		}
	})
	t.Run("finds its jobs", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p := w.project(o.ID, "docs.example.com")
		a, err := w.automation(o.ID, p.ID, "weekly")
		w.ok(err)
		past := func() automation.Past {
			t.Helper()
			out, err := w.s.FindAutomationPast(w.ctx, a.ID, w.clock.now())
			w.ok(err)
			return out
		}
		if got := past(); got != (automation.Past{}) {
			t.Errorf("before: %+v", got)
		}
		var j agentjob.Job
		w.tx(func(tx *store.Tx) (err error) {
			if j, err = tx.CreateAgentJob(w.ctx, agentjob.Job{OrganizationID: o.ID, ProjectID: p.ID, Model: "m"},
				agentjob.Entry{Text: "Fix it."}, "what readers said"); err != nil {
				return err
			}
			_, err = tx.AddAutomationRun(w.ctx, a, automation.Run{Decision: automation.Started, JobID: j.ID}, nil)
			return err
		})
		if got := past(); got != (automation.Past{Today: 1, Working: j.ID}) {
			t.Errorf("working: %+v", got)
		}
		entries, err := w.s.ListAgentEntries(w.ctx, j.ID, 0, 10)
		if err != nil || len(entries) != 2 || entries[1].Kind != agentjob.Note || entries[1].Code != agentjob.Given ||
			entries[1].Text != "what readers said" {
			t.Errorf("%+v, %v", entries, err)
		}
		k, ok, err := w.s.TakeTask(w.ctx, "w", lease, false, task.Agent)
		if err != nil || !ok {
			t.Fatal(err)
		}
		h := task.Hold{TaskID: k.ID, Fence: k.Fence}
		_, err = w.s.RecordAgent(w.ctx, h, lease, store.AgentProgress{Ref: "lectern/x", PRLink: "https://x/1", PRNumber: 1,
			PRState: agentjob.PullOpen})
		w.ok(err)
		w.ok(w.s.CompleteAgentJob(w.ctx, h, 2, agentjob.Changed))
		if got := past(); got != (automation.Past{Today: 1, Open: "https://x/1"}) {
			t.Errorf("open: %+v", got)
		}
		w.tx(func(tx *store.Tx) error {
			_, _, err := tx.NoteAgentPull(w.ctx, p.ID, "lectern/x", 1, agentjob.PullMerged, agentjob.Entry{})
			return err
		})
		w.clock.advance(24 * time.Hour)
		if got := past(); got != (automation.Past{}) {
			t.Errorf("a day later: %+v", got)
		}
	})
	t.Run("finds gaps that readers reported", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p, q := w.project(o.ID, "docs.example.com"), w.project(o.ID, "other.example.com")
		since := w.clock.now()
		ask := func(projectID, question string, kind conversation.Type, after time.Duration) {
			t.Helper()
			w.ok(w.s.AddExchange(w.ctx, conversation.Exchange{ID: "msg_" + question, ThreadID: "thr_x", ProjectID: projectID,
				At: since.Add(after), Caller: conversation.Web, Question: question, Page: "/p", Type: kind}))
		}
		ask(p.ID, "before", conversation.Unanswered, 0)
		ask(p.ID, "missed", conversation.Unanswered, time.Minute)
		ask(p.ID, "answered", conversation.Answered, time.Minute)
		ask(p.ID, "late", conversation.Unanswered, time.Hour)
		ask(q.ID, "elsewhere", conversation.Unanswered, time.Minute)
		for i := range 3 {
			ask(p.ID, fmt.Sprint("refused", i), conversation.Refused, time.Duration(i+1)*time.Second)
		}
		ask(p.ID, "refused late", conversation.Refused, time.Hour)
		search := func(query string, hits int, after time.Duration) {
			t.Helper()
			one := audience.Event{ProjectID: p.ID, Kind: audience.Search, Query: query, Hits: hits, At: since.Add(after)}
			w.counted(w.s, one, one)
		}
		search("sso", 0, time.Minute)
		search("install", 3, time.Minute)
		search("old", 0, -time.Minute)
		got, err := w.s.FindGaps(w.ctx, p.ID, since, since.Add(time.Minute), 10, 2)
		want := automation.Gaps{Questions: []automation.Gap{{Text: "missed", Page: "/p"}},
			Searches: []automation.Gap{{Text: "sso", Times: 2}},
			Refused:  []automation.Gap{{Text: "refused2", Page: "/p"}, {Text: "refused1", Page: "/p"}}}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v", got, err)
		}
	})
}
