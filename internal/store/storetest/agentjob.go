package storetest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

func messageEntry(text string) agentjob.Entry { return agentjob.Entry{Author: "key_a", Text: text} }

// agentJob creates an active job in a project. The job's task is waiting.
func (w *world) agentJob(p project.Project) (j agentjob.Job) {
	w.t.Helper()
	w.tx(func(tx *store.Tx) (err error) {
		j, err = tx.CreateAgentJob(w.ctx,
			agentjob.Job{OrganizationID: p.OrganizationID, ProjectID: p.ID, Repository: "https://git.example/docs.git",
				Base: "main", Model: "m", Draft: true}, messageEntry("Do it."))
		return err
	})
	return j
}

// heldAgentJob returns a job whose task the caller holds.
func (w *world) heldAgentJob(p project.Project) (agentjob.Job, task.Hold) {
	w.t.Helper()
	j := w.agentJob(p)
	k := w.take("w")
	if k.ID != j.ID {
		w.t.Fatalf("%s was taken instead of %s", k.ID, j.ID)
	}
	return j, hold(k)
}

// agentJobIn creates a job and moves it to a status, using only documented edges.
func (w *world) agentJobIn(p project.Project, status agentjob.Status) agentjob.Job {
	w.t.Helper()
	j, h := w.heldAgentJob(p)
	switch status {
	case agentjob.Completed:
		w.ok(w.s.CompleteAgentJob(w.ctx, h, 1, agentjob.Changed))
	case agentjob.Failed:
		w.ok(w.s.FailAgentJob(w.ctx, h, "No."))
	case agentjob.Archived:
		w.ok(w.archive(j))
	}
	return w.findAgentJob(j)
}

func (w *world) sendMessage(j agentjob.Job, text string) (made agentjob.Job, err error) {
	err = w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
		made, err = tx.SayToAgentJob(w.ctx, j.OrganizationID, j.ProjectID, j.ID, messageEntry(text))
		return err
	})
	return made, err
}

func (w *world) archive(j agentjob.Job) error {
	return w.s.Tx(w.ctx, func(tx *store.Tx) error {
		_, err := tx.ArchiveAgentJob(w.ctx, j.OrganizationID, j.ProjectID, j.ID)
		return err
	})
}

func (w *world) findAgentJob(j agentjob.Job) agentjob.Job {
	w.t.Helper()
	found, err := w.s.FindAgentJob(w.ctx, j.OrganizationID, j.ProjectID, j.ID)
	w.ok(err)
	return found
}

func (w *world) entries(jobID string) []agentjob.Entry {
	w.t.Helper()
	list, err := w.s.ListAgentEntries(w.ctx, jobID, 0, 1000)
	w.ok(err)
	return list
}

var agentStatuses = []agentjob.Status{agentjob.Active, agentjob.Completed, agentjob.Failed, agentjob.Archived}

func testAgentJob(t *testing.T, database func(*testing.T) string) {
	t.Run("is found unchanged, only in its project and organization (A8)", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		p, other := w.project(a.ID), w.project(a.ID)
		made := w.agentJob(p)
		if found := w.findAgentJob(made); found != made || made.Status != agentjob.Active || !id.Has(id.AgentJob,
			made.ID) || made.Round != 1 || !made.Draft || made.Base != "main" {
			t.Errorf("stored %+v\n found %+v", made, found)
		}
		if byID, err := w.s.FindAgentJobByID(w.ctx, made.ID); err != nil || byID != made {
			t.Errorf("found by id: %+v (error %v)", byID, err)
		}
		for _, wrong := range [][3]string{{b.ID, p.ID, made.ID}, {a.ID, other.ID, made.ID}, {a.ID, p.ID, "aj_none"}} {
			_, err := w.s.FindAgentJob(w.ctx, wrong[0], wrong[1], wrong[2])
			w.wantFault(err, fault.NotFound, "unknown_agent_job")
			_, err = w.sendMessage(agentjob.Job{OrganizationID: wrong[0], ProjectID: wrong[1], ID: wrong[2]}, "x")
			w.wantFault(err, fault.NotFound, "unknown_agent_job")
			w.wantFault(w.archive(agentjob.Job{OrganizationID: wrong[0], ProjectID: wrong[1], ID: wrong[2]}),
				fault.NotFound, "unknown_agent_job")
		}
		err := w.s.Tx(w.ctx, func(tx *store.Tx) error {
			_, err := tx.CreateAgentJob(w.ctx, agentjob.Job{OrganizationID: b.ID, ProjectID: p.ID}, messageEntry("x"))
			return err
		})
		w.wantFault(err, fault.NotFound, "unknown_project")
	})
	t.Run("is stored with its prompt and its task or not at all (J1)", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		w.waker.refuse = fmt.Errorf("no queue")
		err := w.s.Tx(w.ctx, func(tx *store.Tx) error {
			_, err := tx.CreateAgentJob(w.ctx,
				agentjob.Job{OrganizationID: p.OrganizationID, ProjectID: p.ID, Model: "m"}, messageEntry("x"))
			return err
		})
		if err == nil || w.count(`SELECT count(*) FROM agent_jobs`)+w.count(`SELECT count(*) FROM agent_entries`)+
			w.count(`SELECT count(*) FROM tasks`) != 0 {
			t.Errorf("a job without a wake-up was kept (error %v)", err)
		}
		w.waker.refuse = nil
		j := w.agentJob(p)
		if k := w.findTask(j.ID); k.Kind != task.Agent || k.State != task.Queued || len(w.waker.taken()) == 0 {
			t.Errorf("the task is %+v", k)
		}
		want := agentjob.Entry{Sequence: 1, Round: 1, Kind: agentjob.Prompt, Author: "key_a", Text: "Do it.",
			At: j.CreatedAt}
		if list := w.entries(j.ID); len(list) != 1 || !reflect.DeepEqual(list[0], want) {
			t.Errorf("the record is %+v", list)
		}
	})
	t.Run("is listed by project and state, newest first (A10)", testAgentList(database))
	t.Run("the database allows only documented transitions (J4)", testAgentEdges(database))
	t.Run("the database protects its branch, round and pull request (G7)", testAgentRules(database))
	t.Run("the database allows its record only to grow (G9)", testAgentRecordRules(database))
	t.Run("stores every kind of entry unchanged (G9)", testAgentEntries(database))
}

func testAgentList(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p, other := w.project(o.ID), w.project(o.ID)
		w.agentJob(other)
		w.take("w")
		var want []string
		for _, status := range []agentjob.Status{agentjob.Completed, agentjob.Failed, agentjob.Archived,
			agentjob.Active, agentjob.Completed} {
			want = append([]string{w.agentJobIn(p, status).ID}, want...)
			w.clock.advance(time.Second)
		}
		var got []string
		page := store.Page{Limit: 2}
		for {
			list, next, err := w.s.ListAgentJobs(w.ctx, o.ID, p.ID, "", page)
			w.ok(err)
			for _, j := range list {
				got = append(got, j.ID)
			}
			if page.Cursor = next; next == "" {
				break
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("listed %v\n want %v", got, want)
		}
		if list, _, err := w.s.ListAgentJobs(w.ctx, o.ID, p.ID, agentjob.Completed, store.Page{Limit: 9}); err != nil ||
			len(list) != 2 {
			t.Errorf("completed are %d (error %v)", len(list), err)
		}
		if list, _, err := w.s.ListAgentJobs(w.ctx, "org_other", p.ID, "", store.Page{Limit: 9}); err != nil ||
			len(list) != 0 {
			t.Errorf("another organization sees %d (error %v)", len(list), err)
		}
		if list, err := w.s.SkipAgentJobs(w.ctx, o.ID, p.ID, 1, 2); err != nil || len(list) != 2 ||
			list[0].ID != want[1] || list[1].ID != want[2] {
			t.Errorf("after one of them: %v (error %v), want %v", list, err, want[1:3])
		}
		if list, err := w.s.SkipAgentJobs(w.ctx, "org_other", p.ID, 0, 9); err != nil || len(list) != 0 {
			t.Errorf("another organization counts %d (error %v)", len(list), err)
		}
		_, _, err := w.s.ListAgentJobs(w.ctx, o.ID, p.ID, "", store.Page{Limit: 9, Cursor: "!"})
		w.wantFault(err, fault.Invalid, "invalid_field")
	}
}

// J4: every pair of statuses is tried with a raw statement that satisfies all other rules.
func testAgentEdges(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		for _, from := range agentStatuses {
			for _, to := range agentStatuses {
				j := w.agentJobIn(p, from)
				err := w.exec(`UPDATE agent_jobs SET status = $2, archived_at = CASE WHEN $2 = 'archived' THEN COALESCE(archived_at, 1) ELSE NULL END,
					error = CASE WHEN $2 = 'failed' THEN 'No.' WHEN $2 = 'archived' THEN error ELSE '' END,
					round = round + CASE WHEN $2 = 'active' AND status <> 'active' THEN 1 ELSE 0 END WHERE id = $1`,
					j.ID, string(to))
				// Keeping the status is not an edge, but it is allowed, because other columns may change.
				if want := agentjob.CheckEdge(from, to) == nil || from == to; (err == nil) != want {
					t.Errorf("%s to %s allowed: %v, want %v (%v)", from, to, err == nil, want, err)
				}
			}
		}
	}
}

func testAgentRules(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		for name, c := range map[string]struct {
			status       agentjob.Status
			first, after string
			allowed      bool
		}{
			"a second branch":       {agentjob.Active, `ref = 'lectern/a'`, `ref = 'lectern/b'`, false},
			"the same branch again": {agentjob.Active, `ref = 'lectern/a'`, `ref = 'lectern/a'`, true},
			"a second branch beside an open pull request": {agentjob.Active, `ref = 'lectern/a', pr_number = 7, pr_state = 'open'`,
				`ref = 'lectern/b', pr_number = 0, pr_state = ''`, false},
			"a second branch after a merge": {agentjob.Active, `ref = 'lectern/a', pr_number = 7, pr_state = 'merged'`,
				`ref = 'lectern/b', pr_number = 0, pr_state = ''`, true},
			"a second branch of the same pull request": {agentjob.Active,
				`ref = 'lectern/a', pr_number = 7, pr_state = 'closed'`, `ref = 'lectern/b'`, false},
			"a second branch of a job that ended": {agentjob.Completed,
				`ref = 'lectern/a', pr_number = 7, pr_state = 'merged'`, `ref = 'lectern/b', pr_number = 8`, false},
			"a second pull request beside the one": {agentjob.Active, `pr_number = 7, pr_state = 'open'`,
				`pr_number = 8`, false},
			"a new pull request after a merge": {agentjob.Active, `pr_number = 7, pr_state = 'merged'`,
				`pr_number = 8, pr_state = 'open'`, true},
			"a merge undone": {agentjob.Active, `pr_number = 7, pr_state = 'merged'`,
				`pr_state = 'open'`, false},
			"opening it again": {agentjob.Active, `pr_number = 7, pr_state = 'closed'`,
				`pr_state = 'open'`, true},
			"a state that does not exist":      {agentjob.Active, `pr_number = 7`, `pr_state = 'lost'`, false},
			"a new round of an active job":     {agentjob.Active, `round = round`, `round = 2`, false},
			"a new round without being active": {agentjob.Completed, `round = round`, `round = 2`, false},
			"two rounds at once": {agentjob.Completed, `round = round`, `status = 'active', round = 3`,
				false},
			"numbers of the record that fall": {agentjob.Active, `entry_seq = 5`, `entry_seq = 4`, false},
			"failure without a reason (J6)":   {agentjob.Active, `round = round`, `status = 'failed'`, false},
			"a reason without failure":        {agentjob.Active, `round = round`, `error = 'No.'`, false},
			"a merge of an archived job's":    {agentjob.Archived, `pr_state = 'open'`, `pr_state = 'merged'`, true},
			"an archived job's other archive": {agentjob.Archived, `round = round`, `archived_at = 5`, false},
			"an archived job's summary":       {agentjob.Archived, `round = round`, `summary = 'x'`, false},
			"an archived job's push":          {agentjob.Archived, `round = round`, `head_commit = 'x'`, false},
			"a branch of a dry run":           {agentjob.Active, `dry_run = TRUE`, `ref = 'lectern/a'`, false},
			"a commit of a dry run":           {agentjob.Active, `dry_run = TRUE`, `head_commit = 'x'`, false},
			"a pull request of a dry run":     {agentjob.Active, `dry_run = TRUE`, `pr_number = 7`, false},
			"a dry run of a pushed job":       {agentjob.Active, `ref = 'lectern/a'`, `dry_run = TRUE`, false},
		} {
			t.Run(name, func(t *testing.T) {
				j := w.agentJobIn(p, c.status)
				w.ok(w.exec(`UPDATE agent_jobs SET `+c.first+` WHERE id = $1`, j.ID))
				if err := w.exec(`UPDATE agent_jobs SET `+c.after+` WHERE id = $1`, j.ID); (err == nil) != c.allowed {
					t.Errorf("allowed: %v, want %v (%v)", err == nil, c.allowed, err)
				}
			})
		}
	}
}

// G9: the database itself refuses to change or remove an entry in the record.
func testAgentRecordRules(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		j := w.agentJobIn(p, agentjob.Completed)
		before := w.entries(j.ID)
		for name, text := range map[string]string{
			"change":  `UPDATE agent_entries SET body = '{}'`,
			"removal": `DELETE FROM agent_entries`,
			"same place": `INSERT INTO agent_entries (job_id, sequence, project_id, round, kind, code, author, body, at) SELECT job_id, sequence, project_id,
				round, kind, code, author, body, at FROM agent_entries`,
		} {
			if err := w.exec(text); err == nil {
				t.Errorf("the database allowed: %s", name)
			}
		}
		if after := w.entries(j.ID); !reflect.DeepEqual(after, before) {
			t.Errorf("the record is %+v", after)
		}
		w.ok(w.archive(j))
		w.ok(w.exec(`DELETE FROM agent_entries`))
	}
}

func testAgentEntries(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		j, h := w.heldAgentJob(p)
		give := []agentjob.Entry{
			{Kind: agentjob.Answer, Text: "I <look> & see",
				Calls: []agentjob.Call{{ID: "1", Name: "read", Input: json.RawMessage(`{"path":"<a> & b"}`)},
					{ID: "2", Name: "list"}},
				Used: agentjob.Use{Steps: 1, InputTokens: 10, OutputTokens: 3, CostMicros: 7}},
			{Kind: agentjob.Results,
				Results: []agentjob.Result{{CallID: "1", Text: "x\u2028y", Failed: true}, {CallID: "2", Text: ""}}},
			{Kind: agentjob.Note, Code: "pushed", Text: "Pushed."},
		}
		_, err := w.s.RecordAgent(w.ctx, h, lease, store.AgentProgress{}, give...)
		w.ok(err)
		list := w.entries(j.ID)[1:]
		for i, want := range give {
			want.Sequence, want.Round, want.At = int64(i+2), 1, j.CreatedAt
			if !reflect.DeepEqual(list[i], want) {
				t.Errorf("stored %+v\n found %+v", want, list[i])
			}
		}
		odd := agentjob.Entry{Kind: agentjob.Answer, Text: "nul \x00 bad \xff",
			Calls: []agentjob.Call{{ID: "\x00", Name: "\xfe",
				Input: json.RawMessage(`{"path": `)}}}
		_, err = w.s.RecordAgent(w.ctx, h, lease, store.AgentProgress{Summary: "\x00\xff"}, odd)
		w.ok(err)
		got := w.entries(j.ID)[4]
		if got.Text != "nul \x00 bad \ufffd" || string(got.Calls[0].Input) != `"{\"path\": "` {
			t.Errorf("%+v", got)
		}
		_, err = w.s.RecordAgent(w.ctx, h, lease, store.AgentProgress{},
			agentjob.Entry{Kind: agentjob.Note, Text: string(make([]byte, 9<<20))})
		w.wantFault(err, fault.Invalid, "entry_too_large")
		if page, err := w.s.ListAgentEntries(w.ctx, j.ID, 2, 2); err != nil || len(page) != 2 ||
			page[0].Sequence != 3 || page[1].Sequence != 4 {
			t.Errorf("the page is %+v (error %v)", page, err)
		}
		if n := len(w.entries(j.ID)); n != 5 {
			t.Errorf("the record has %d entries", n)
		}
	}
}
