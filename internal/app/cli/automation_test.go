package cli

import (
	"slices"
	"strings"
	"testing"
)

// An automation is created, changed, run as a dry run and deleted; its log records the runs. A product repository is
// connected and disconnected.
func TestAutomationsAreManaged(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	s.call(t, "projects", "create", "--name", "Docs", "--domain", "docs.localhost", "--repository",
		"https://git.example.com/docs.git").want(t, 0)
	of := []string{"--project", "docs.localhost"}
	call := func(args ...string) runResult {
		return s.call(t, append(append([]string{"automation"}, args...), of...)...)
	}
	call("create", "Weekly links", "--trigger", "call", "--workflow", "format").want(t, 2, "lower-case")
	made := strings.TrimSpace(call("create", "weekly-links", "--trigger", "schedule", "--workflow", "fix-links", "--day", "mon",
		"--at", "06:00", "--time-zone", "Europe/Berlin").want(t, 0).stdout)
	if !strings.HasPrefix(made, "aut_") {
		t.Fatalf("printed %q", made)
	}
	if list := call("list").want(t, 0).stdout; !strings.Contains(list, "mon 06:00 Europe/Berlin") || !strings.Contains(list, "on") {
		t.Errorf("listed %s", list)
	}
	call("create", "labelled", "--trigger", "label").want(t, 2, "label is empty")
	call("create", "labelled", "--trigger", "label", "--label", "docs-agent").want(t, 0)
	call("update", "labelled", "--label", "other").want(t, 0)
	call("create", "on-request", "--trigger", "comment").want(t, 0)
	if list := call("list", "--json").want(t, 0).stdout; !strings.Contains(list, `"label":"other"`) ||
		!strings.Contains(list, `"trigger":"comment"`) {
		t.Errorf("listed %s", list)
	}
	if out := call("run", "weekly-links", "--dry-run").want(t, 0, "would start").stdout; out != "" {
		t.Errorf("printed %q", out)
	}
	call("update", made, "--at-least", "2").want(t, 2, "atLeast")
	call("create", "unhelpful", "--trigger", "feedback", "--at-least", "5", "--at", "06:30").want(t, 0)
	call("delete", "unhelpful").want(t, 0)
	call("update", made, "--off").want(t, 0)
	call("run", made).want(t, 0, "turned off")
	if log := call("log", made).want(t, 0).stdout; !strings.Contains(log, "would_start") || !strings.Contains(log, "skipped") {
		t.Errorf("logged %s", log)
	}
	project := strings.Fields(s.call(t, "projects", "list").want(t, 0).stdout)
	id := project[slices.IndexFunc(project, func(f string) bool { return strings.HasPrefix(f, "prj_") })]
	s.call(t, "projects", "connect", id, "server", "--repository", "https://git.example.com/server.git").want(t, 0)
	if list := s.call(t, "projects", "products", id).want(t, 0).stdout; !strings.Contains(list, "server  https://git.example.com/server.git") {
		t.Errorf("listed %s", list)
	}
	if list := s.call(t, "projects", "receipts", id, "--state", "stale").want(t, 0).stdout; !strings.HasPrefix(list, "ID ") {
		t.Errorf("listed %s", list)
	}
	s.call(t, "projects", "receipts", id, "--limit", "0").want(t, 2, "--limit")
	s.call(t, "projects", "reviewed", id, "rct_none").want(t, 4, "not found")
	s.call(t, "projects", "disconnect", id, "server").want(t, 0, "was disconnected")
	s.call(t, "projects", "disconnect", id, "server").want(t, 4, "not found")
	call("delete", "weekly-links").want(t, 0, "was deleted")
	call("log", "weekly-links").want(t, 4, "not found")
}
