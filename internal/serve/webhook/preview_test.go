package webhook_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/pullpreview"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/webhook"
	"github.com/lectern-docs/lectern/internal/store"
)

// forked changes a pull request's event so that it is from a fork.
func forked(body string) string {
	return strings.Replace(body, `"repo": {"full_name": "a/docs"}}, "base"`, `"repo": {"full_name": "x/docs"}}, "base"`, 1)
}

// W5: each change of a pull request changes its preview once, however often the event is delivered.
func TestPullRequestHasPreviewUntilItEnds(t *testing.T) {
	s := open(t)
	p := newProject(t, s, "main")
	r := webhook.New(s, [][]byte{current}, time.Now)
	send := func(delivery, body string) webhook.Result {
		t.Helper()
		res, err := r.Receive(t.Context(), sign(p, current, "pull_request", delivery, body))
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	opened := send("d1", pullEvent(3, "feature", "opened", false))
	if opened.StatusID == "" || !opened.Preview {
		t.Fatalf("opened: %+v", opened)
	}
	d, err := s.FindDeploymentByID(t.Context(), opened.StatusID)
	if err != nil || d.Kind != deploy.Preview || d.Branch != "refs/pull/3/head" || d.Trigger != deploy.Pull {
		t.Errorf("queued %+v, %v", d, err)
	}
	if again := send("d1", pullEvent(3, "feature", "opened", false)); again.Preview || again.Reason == "" {
		t.Errorf("the same delivery: %+v", again)
	}
	if pushed := send("d2", pullEvent(3, "feature", "synchronize", false)); pushed.StatusID != opened.StatusID {
		t.Errorf("a push while the first build waits: %+v", pushed)
	}
	if closed := send("d3", pullEvent(3, "feature", "closed", true)); !closed.Preview || closed.StatusID != "" {
		t.Errorf("closed: %+v", closed)
	}
	if _, err := s.FindDeploymentByID(t.Context(), opened.StatusID); !fault.Is(err, fault.NotFound) {
		t.Errorf("the preview is still there: %v", err)
	}
	if late := send("d4", pullEvent(3, "feature", "synchronize", false)); late.Preview || late.Reason == "" {
		t.Errorf("a push that was overtaken by the end: %+v", late)
	}
	if reopened := send("d5", pullEvent(3, "feature", "reopened", false)); !reopened.Preview || reopened.StatusID == "" {
		t.Errorf("reopened: %+v", reopened)
	}
	events, err := s.ListEvents(t.Context(), p.OrganizationID, 0, 20)
	if err != nil || len(events) != 4 || events[0].Action != "deployment.start" || events[0].Data["number"] != "3" ||
		events[0].Actor != "webhook" || events[2].Action != "preview.remove" || events[2].Data["reason"] != "merged" {
		t.Errorf("events %+v, %v", events, err)
	}
}

func TestProjectsChooseWhichPullRequestsGetPreviews(t *testing.T) {
	for mode, want := range map[project.PullPreviews][2]bool{project.PullsAll: {true, true}, project.PullsOwn: {true, false},
		project.PullsNone: {false, false}} {
		s := open(t)
		p := newProject(t, s, "main")
		p.PullPreviews = mode
		if err := s.Tx(t.Context(), func(tx *store.Tx) error { _, err := tx.UpdateProject(t.Context(), p); return err }); err != nil {
			t.Fatal(err)
		}
		r := webhook.New(s, [][]byte{current}, time.Now)
		own := pullEvent(3, "feature", "opened", false)
		// A fork may give its branch a name like an agent's.
		for i, body := range []string{own, forked(pullEvent(4, agentBranch, "opened", false))} {
			res, err := r.Receive(t.Context(), sign(p, current, "pull_request", fmt.Sprint("d", i), body))
			if err != nil || res.Preview != want[i] || (res.Reason == "") != want[i] {
				t.Errorf("%s, fork %v: %+v, %v", mode, i == 1, res, err)
			}
		}
		if v, err := s.FindPullPreview(t.Context(), p.ID, 4); want[1] && (err != nil || !v.Fork || v.State != pullpreview.Open) {
			t.Errorf("the fork: %+v, %v", v, err)
		}
		other := strings.Replace(own, `"ref": "main"`, `"ref": "release"`, 1)
		if res, err := r.Receive(t.Context(), sign(p, current, "pull_request", "d9", other)); err != nil || res.Preview {
			t.Errorf("for another branch: %+v, %v", res, err)
		}
	}
}
