package webhook_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/serve/webhook"
	"github.com/lectern-docs/lectern/internal/store"
)

func commentEvent(id int, repository, author, text string) string {
	return fmt.Sprintf(`{"action": "created", "issue": {"number": 7, "title": "Install", "body": "It lacks a step.", "pull_request": {},
		"html_url": "https://git.example.com/a/docs/pull/7"}, "comment": {"id": %d, "body": %q, "user": {"login": %q}},
		"repository": {"full_name": %q}, "sender": {"login": "somebody-else"}}`, id, text, author, repository)
}

func labelEvent(number int, label string) string {
	return fmt.Sprintf(`{"action": "labeled", "issue": {"number": %d, "title": "Install", "body": "It lacks a step."},
		"label": {"name": %q}, "repository": {"full_name": "a/docs"}, "sender": {"login": "quill"}}`, number, label)
}

func automate(t *testing.T, s *store.Store, p project.Project, a automation.Automation) {
	t.Helper()
	a.OrganizationID, a.ProjectID, a.MaxPerDay, a.AtLeast, a.Enabled, a.Owner = p.OrganizationID, p.ID, 24, 1, true, "key_a"
	a.Name = "on-" + string(a.Trigger)
	if err := a.Validate(); err != nil {
		t.Fatal(err)
	}
	if err := s.Tx(t.Context(), func(tx *store.Tx) error { _, err := tx.CreateAutomation(t.Context(), a); return err }); err != nil {
		t.Fatal(err)
	}
}

// asked returns the waiting mentions, in the order of their tasks.
func asked(t *testing.T, s *store.Store) (list []automation.Mention) {
	t.Helper()
	for {
		k, ok, err := s.TakeTask(t.Context(), "w", time.Minute, false, task.Mention)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return list
		}
		m, err := s.FindMention(t.Context(), k.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.EndReply(t.Context(), task.Hold{TaskID: k.ID, Fence: k.Fence}, m, ""); err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
}

// W5: a comment delivered many times, under any delivery id, is stored once; comments that request nothing, our own
// comments and those from other repositories are not stored.
func TestCommentWithRequestIsStoredOnce(t *testing.T) {
	s := open(t)
	p := newProject(t, s, "main")
	r := webhook.New(s, [][]byte{current}, time.Now)
	receive := func(delivery, event, body string) webhook.Result {
		t.Helper()
		res, err := r.Receive(t.Context(), sign(p, current, event, delivery, body))
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	const text = "Thanks.\n\n@lectern fix the links"
	if res := receive("d0", "issue_comment", commentEvent(1, "a/docs", "quill", text)); res.Asked || res.Reason == "" {
		t.Errorf("without an automation: %+v", res)
	}
	automate(t, s, p, automation.Automation{Trigger: automation.OnComment})
	for name, body := range map[string]string{
		"nothing":   commentEvent(2, "a/docs", "quill", "fix the links"),
		"quotes":    commentEvent(3, "a/docs", "quill", "> @lectern fix the links"),
		"ours":      commentEvent(4, "a/docs", "quill", "[//]: # (lectern-reply mnt_1)\n\n@lectern fix the links"),
		"elsewhere": commentEvent(5, "a/other", "quill", text),
	} {
		if res := receive(name, "issue_comment", body); res.Asked || res.Reason == "" {
			t.Errorf("%s: %+v", name, res)
		}
	}
	if list := asked(t, s); len(list) != 0 {
		t.Fatalf("stored: %+v", list)
	}
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			call := sign(p, current, "issue_comment", fmt.Sprint("d", i%3), commentEvent(6, "a/docs", "quill", text))
			if _, err := r.Receive(t.Context(), call); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	list := asked(t, s)
	if len(list) != 1 {
		t.Fatalf("stored: %+v", list)
	}
	if m := list[0]; m.Author != "quill" || m.Request != "fix the links" || m.Issue || m.Number != 7 || m.State != automation.MentionNew ||
		!strings.Contains(m.Given, "It lacks a step.") || m.Trigger != automation.OnComment {
		t.Errorf("%+v", m)
	}
}

// A label counts once for each issue, and only if an automation is triggered by it.
func TestLabelIsStoredOncePerIssue(t *testing.T) {
	s := open(t)
	p := newProject(t, s, "main")
	r := webhook.New(s, [][]byte{current}, time.Now)
	automate(t, s, p, automation.Automation{Trigger: automation.OnLabel, Label: "docs-agent"})
	for i, body := range []string{labelEvent(7, "bug"), labelEvent(7, "Docs-Agent"), labelEvent(7, "docs-agent"), labelEvent(8, "docs-agent")} {
		if _, err := r.Receive(t.Context(), sign(p, current, "issues", fmt.Sprint(i), body)); err != nil {
			t.Fatal(err)
		}
	}
	list := asked(t, s)
	if len(list) != 2 || !list[0].Issue || list[0].Author != "quill" || list[0].Request != "" {
		t.Errorf("%+v", list)
	}
}

// A flood of comments is cut off, because each one causes requests to the code host.
func TestCommentsAreRateLimited(t *testing.T) {
	s := open(t)
	p := newProject(t, s, "main")
	r := webhook.New(s, [][]byte{current}, time.Now)
	automate(t, s, p, automation.Automation{Trigger: automation.OnComment})
	for i := range automation.MaxAuthorMentions + 1 {
		res, err := r.Receive(t.Context(), sign(p, current, "issue_comment", fmt.Sprint(i),
			commentEvent(i+1, "a/docs", "mallory", "@lectern fix the links")))
		if err != nil || res.Asked != (i < automation.MaxAuthorMentions) {
			t.Fatalf("%d: %+v, %v", i, res, err)
		}
	}
	if res, err := r.Receive(t.Context(), sign(p, current, "issue_comment", "x",
		commentEvent(900, "a/docs", "quill", "@lectern fix the links"))); err != nil || !res.Asked {
		t.Errorf("another author: %+v, %v", res, err)
	}
}
