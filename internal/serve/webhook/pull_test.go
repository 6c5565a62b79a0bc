package webhook_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/webhook"
	"github.com/lectern-docs/lectern/internal/store"
)

const agentBranch = "lectern/fix-links-0123456789"

// newJob creates an agent job that has opened pull request 7.
func newJob(t *testing.T, s *store.Store, p project.Project) agentjob.Job {
	t.Helper()
	var j agentjob.Job
	err := s.Tx(t.Context(), func(tx *store.Tx) (err error) {
		j, err = tx.CreateAgentJob(t.Context(), agentjob.Job{OrganizationID: p.OrganizationID, ProjectID: p.ID,
			Model: "builtin"}, agentjob.Entry{Text: "Fix links."})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	taken, ok, err := s.TakeTask(t.Context(), "w", time.Minute, true, task.Agent)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	h := task.Hold{TaskID: taken.ID, Fence: taken.Fence}
	if _, err := s.StartAgentJob(t.Context(), h, time.Minute); err != nil {
		t.Fatal(err)
	}
	j, err = s.RecordAgent(t.Context(), h, time.Minute, store.AgentProgress{Ref: agentBranch,
		PRLink: "https://git.example.com/7", PRNumber: 7, PRState: agentjob.PullOpen})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func pullEvent(number int, head, action string, merged bool) string {
	at, state := "null", "open"
	if action == "closed" {
		state = "closed"
	}
	if merged {
		at = `"2026-03-01T13:00:00Z"`
	}
	return fmt.Sprintf(`{"action": %q, "repository": {"full_name": "a/docs"}, "pull_request": {"number": %d, "state": %q, "merged_at": %s, "merge_commit_sha": %q,
		"html_url": "https://git.example.com/a/docs/pull/7", "head": {"ref": %q, "repo": {"full_name": "a/docs"}}, "base": {"ref": "main", "repo": {"full_name": "a/docs"}}}}`,
		action, number, state, at, commit, head)
}

func notes(t *testing.T, s *store.Store, jobID string) (codes []string) {
	t.Helper()
	list, err := s.ListAgentEntries(t.Context(), jobID, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.Kind == agentjob.Note {
			codes = append(codes, e.Code)
		}
	}
	return codes
}

// W5: the result of an agent's pull request is recorded once, with its event, however often the event is delivered.
func TestPullRequestResultIsRecordedInJob(t *testing.T) {
	for name, c := range map[string]struct {
		merged bool
		state  agentjob.PullState
		code   string
	}{"merged": {true, agentjob.PullMerged, "pull_merged"}, "closed": {false, agentjob.PullClosed, "pull_closed"}} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			p := newProject(t, s, "main")
			job := newJob(t, s, p)
			r := webhook.New(s, [][]byte{current}, time.Now)
			call := sign(p, current, "pull_request", "d1", pullEvent(7, agentBranch, "closed", c.merged))
			if res, err := r.Receive(t.Context(), call); err != nil || res.JobID != job.ID || res.StatusID != "" ||
				res.Reason != "" {
				t.Fatalf("%+v, %v", res, err)
			}
			if res, err := r.Receive(t.Context(), call); err != nil || res.JobID != "" || res.Reason == "" {
				t.Errorf("again: %+v, %v", res, err)
			}
			got, err := s.FindAgentJobByID(t.Context(), job.ID)
			if err != nil || got.PRState != c.state || got.Status != agentjob.Active {
				t.Errorf("job %+v, %v", got, err)
			}
			if codes := notes(t, s, job.ID); fmt.Sprint(codes) != "["+c.code+"]" {
				t.Errorf("notes %v", codes)
			}
			events, err := s.ListEvents(t.Context(), p.OrganizationID, 0, 100)
			if err != nil {
				t.Fatal(err)
			}
			seen := 0
			for _, e := range events {
				if e.Action == "agent."+c.code && e.Target == job.ID && e.Actor == "webhook" &&
					e.RequestID == "req_test" && e.Data["number"] == "7" && e.Data["branch"] == agentBranch {
					seen++
				}
			}
			if seen != 1 {
				t.Errorf("%d events agent.%s among %+v", seen, c.code, events)
			}
		})
	}
}

func TestOtherPullRequestsChangeNothing(t *testing.T) {
	s := open(t)
	p := newProject(t, s, "main")
	job := newJob(t, s, p)
	r := webhook.New(s, [][]byte{current}, time.Now)
	for name, body := range map[string]string{
		"a person's branch":    pullEvent(7, "feature", "closed", true),
		"another job's branch": pullEvent(7, "lectern/other-1", "closed", true),
		"another pull request": pullEvent(8, agentBranch, "closed", true),
		"a new label":          pullEvent(7, agentBranch, "labeled", false),
	} {
		if res, err := r.Receive(t.Context(), sign(p, current, "pull_request", name, body)); err != nil ||
			res.JobID != "" || res.Reason == "" {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
	}
	forged := sign(p, previous, "pull_request", "d1", pullEvent(7, agentBranch, "closed", true))
	if _, err := r.Receive(t.Context(), forged); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("forged: %v", err)
	}
	if got, err := s.FindAgentJobByID(t.Context(), job.ID); err != nil || got.PRState != agentjob.PullOpen ||
		len(notes(t, s, job.ID)) != 0 {
		t.Errorf("job %+v, %v", got, err)
	}
}

func TestClosedPullRequestCanBeReopened(t *testing.T) {
	s := open(t)
	p := newProject(t, s, "main")
	job := newJob(t, s, p)
	r := webhook.New(s, [][]byte{current}, time.Now)
	for i, action := range []string{"closed", "reopened"} {
		if res, err := r.Receive(t.Context(), sign(p, current, "pull_request", fmt.Sprint("d", i),
			pullEvent(7, agentBranch, action, false))); err != nil || res.JobID != job.ID {
			t.Fatalf("%s: %+v, %v", action, res, err)
		}
	}
	if got, err := s.FindAgentJobByID(t.Context(), job.ID); err != nil || got.PRState != agentjob.PullOpen ||
		fmt.Sprint(notes(t, s, job.ID)) != "[pull_closed pull_reopened]" {
		t.Errorf("job %+v, %v; notes %v", got, err, notes(t, s, job.ID))
	}
}

// Pushes by agents do not republish a project that follows the default branch.
func TestAgentPushPublishesNothing(t *testing.T) {
	s := open(t)
	p := newProject(t, s, "")
	r := webhook.New(s, [][]byte{current}, time.Now)
	if res, err := r.Receive(t.Context(), sign(p, current, "push", "d1", pushTo(agentBranch, commit))); err != nil ||
		res.StatusID != "" || res.Reason == "" {
		t.Errorf("%+v %v", res, err)
	}
}
