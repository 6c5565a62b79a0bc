package cli

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
)

// served is a real server in this process.
type served struct{ url, key, data string }

// startServer runs a server on a free port, with additional flags if given, until the test ends.
func startServer(t *testing.T, flags ...string) served {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	out, log, code, data := &terminal{wait: "keys create --data", seen: make(chan struct{})}, &terminal{wait: "\x00"},
		make(chan int, 1), t.TempDir()
	go func() {
		args := []string{"serve", "--data", data, "--listen", "127.0.0.1:0", "--metrics-listen", "off", "--first-site",
			"off", "--first-secrets", "print"}
		code <- Main(ctx, Process{Args: append(args, flags...),
			Stdin: strings.NewReader(""), Stdout: out, Stderr: log, Version: "v0-test", Now: time.Now,
			Rand: rand.Reader})
	}()
	t.Cleanup(func() { stop(); <-code })
	select {
	case <-out.seen:
	case c := <-code:
		code <- c
		t.Fatalf("ended with %d: %s%s", c, out, log)
	}
	url := regexp.MustCompile(`Admin API +(http://\S+)/v1`).FindStringSubmatch(out.String())
	key := regexp.MustCompile(`lectern_[0-9A-Za-z]{38}`).FindString(out.String())
	if url == nil || key == "" {
		t.Fatalf("said %s", out)
	}
	return served{url[1], key, data}
}

func (s served) call(t *testing.T, args ...string) runResult {
	t.Helper()
	return invoke(t, append([]string{"LECTERN_URL=" + s.url, "LECTERN_KEY=" + s.key}, args...)...)
}

func TestMembersAreInvitedChangedAndRemoved(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	a := s.call(t, "members", "invite", "editor@example.com", "--role", "editor", "--expires-in-days", "3").
		want(t, 0, "editor@example.com becomes editor", "works once")
	if !strings.HasPrefix(a.stdout, s.url+"/dashboard/join?token=") || strings.Count(a.stdout, "\n") != 1 {
		t.Errorf("printed %q", a.stdout)
	}
	s.call(t, "members", "invite", "x@example.com", "--role", "owner").
		want(t, 3, "Only an owner can add, change or remove an owner.")
	s.call(t, "members", "invite", "x@example.com", "--role", "king").want(t, 2, `Unknown role "king"`)
	member := strings.TrimSpace(invoke(t, "org", "members", "add", "viewer@example.com", "--role", "viewer", "--data",
		s.data).want(t, 0).stdout)
	list := s.call(t, "members", "list").want(t, 0).stdout
	if !strings.Contains(list, member+"  viewer@example.com  viewer  no") {
		t.Errorf("listed\n%s", list)
	}
	if a := s.call(t, "members", "role", "Viewer@example.com", "admin").
		want(t, 0); a.stdout != "viewer@example.com is now admin.\n" {
		t.Errorf("printed %q", a.stdout)
	}
	if a := s.call(t, "members", "role", member, "editor", "--json").
		want(t, 0); !strings.Contains(a.stdout, `"role":"editor"`) {
		t.Errorf("printed %q", a.stdout)
	}
	s.call(t, "members", "role", "none@example.com", "editor").want(t, 4, "none@example.com is not a member.")
	project := strings.TrimSpace(s.call(t, "projects", "create", "--name", "P", "--domain", "p.localhost", "--repository",
		"https://git.example.com/a/b.git").want(t, 0).stdout)
	if a := s.call(t, "projects", "role", project, "viewer@example.com", "admin").
		want(t, 0); a.stdout != "viewer@example.com is now admin in the project.\n" {
		t.Errorf("printed %q", a.stdout)
	}
	if list := s.call(t, "projects", "members", project).want(t, 0).stdout; !strings.Contains(list,
		member+"  viewer@example.com  admin  editor") {
		t.Errorf("listed\n%s", list)
	}
	s.call(t, "projects", "role", project, member, "owner").want(t, 2, "Unknown project role")
	if a := s.call(t, "projects", "role", project, member, "none").want(t, 0); a.stdout != member+"\n" {
		t.Errorf("printed %q", a.stdout)
	}
	s.call(t, "members", "invite", "contractor@example.com", "--role", "guest", "--project", project, "--project-role",
		"editor").want(t, 0, "contractor@example.com becomes guest")
	if a := s.call(t, "members", "remove", "viewer@example.com").want(t, 0); a.stdout != member+"\n" {
		t.Errorf("printed %q", a.stdout)
	}
	s.call(t, "members", "remove", member).want(t, 4, "Member not found.")
}

// D8: the log is listed, exported and verified remotely.
func TestEventsAreListedExportedAndChecked(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	for _, label := range []string{"one", "two\x1b[31m"} {
		invoke(t, "keys", "create", "--label", label, "--data", s.data).want(t, 0)
	}
	list := s.call(t, "events", "list", "--action", "key", "--since", "2020-01-01").want(t, 0).stdout
	if strings.Count(list, "operator  key.create") != 3 || !strings.Contains(list, "(one)") ||
		strings.Contains(list, "\x1b") {
		t.Errorf("listed\n%q", list)
	}
	if list := s.call(t, "events", "list", "--until", "2020-01-01T00:00:00Z", "--json").want(t, 0).
		stdout; list != "{\"events\":[],\"nextCursor\":null}\n" {
		t.Errorf("listed %s", list)
	}
	var all client.EventList
	if err := json.Unmarshal([]byte(s.call(t, "events", "list", "--json").want(t, 0).stdout), &all); err != nil {
		t.Fatal(err)
	}
	if a := s.call(t, "events", "list", "--limit", "2", "--json").
		want(t, 0); strings.Count(a.stdout, `"eventId"`) != 2 {
		t.Error(a.stdout)
	}
	file := filepath.Join(t.TempDir(), "log", "events.csv")
	if a := s.call(t, "events", "export", "--out", file).want(t, 0); !strings.HasPrefix(a.stdout, file+" (") {
		t.Errorf("printed %q", a.stdout)
	}
	if text := read(t, file); !strings.HasPrefix(text, "sequence,at,actor") ||
		strings.Count(text, "\n") != len(all.Events)+1 {
		t.Errorf("exported %s", text)
	}
	lines := strings.Split(strings.TrimSpace(s.call(t, "events", "export").want(t, 0).stdout), "\n")
	if len(lines) != len(all.Events) || !strings.Contains(lines[len(lines)-1], all.Events[0].Hash) {
		t.Errorf("exported %d of %d events", len(lines), len(all.Events))
	}
	if a := s.call(t, "events", "check").
		want(t, 0); !strings.Contains(a.stdout, "none modified. The newest has the hash "+all.Events[0].Hash) {
		t.Errorf("printed %q", a.stdout)
	}
	s.call(t, "events", "list", "--since", "yesterday").want(t, 2, `--since: "yesterday" is not a time`)
	s.call(t, "events", "list", "--limit", "0").want(t, 2, "--limit")
	s.call(t, "events", "export", "--format", "pdf").want(t, 2, "--format")
}

func TestEventsCheckFailsOnChangedLog(t *testing.T) {
	t.Parallel()
	s := startFake(t, map[string][]string{
		"GET /v1/events/check": {`200 {"events":6,"intact":false,"problem":"Event 7 is missing.","hash":"ab"}`}})
	if a := s.call(t, "events", "check").
		want(t, 1); a.stdout != "The audit log was modified. Event 7 is missing. 6 events before it are intact.\n" {
		t.Errorf("printed %q", a.stdout)
	}
}

// An aborted export leaves no file that could be mistaken for the whole log.
func TestAbortedEventExportLeavesNoFile(t *testing.T) {
	t.Parallel()
	s := startFake(t, map[string][]string{"GET /v1/events/export?format=ndjson": {"500 {}"}})
	dir := t.TempDir()
	s.call(t, "events", "export", "--out", filepath.Join(dir, "e.ndjson")).want(t, 1)
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left %v %v", left, err)
	}
}

func TestProjectsRollbackTakesEffectAtOnce(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	project := strings.TrimSpace(s.call(t, "projects", "create", "--name", "Docs", "--domain", "docs.example.com",
		"--path", smallSite(t), "--wait").want(t, 0).stdout)
	first := strings.TrimSpace(s.call(t, "projects", "update", project, "--wait").want(t, 0).stdout)
	second := strings.TrimSpace(s.call(t, "projects", "update", project, "--wait").want(t, 0).stdout)
	table := s.call(t, "projects", "deployments", project, "--kind", "production").want(t, 0).stdout
	if !regexp.MustCompile(second+` +production +success +live `).MatchString(table) ||
		!regexp.MustCompile(first+` +production +success +- `).MatchString(table) {
		t.Errorf("listed\n%s", table)
	}
	if a := s.call(t, "projects", "rollback", project, first).
		want(t, 0); !strings.Contains(a.stdout, "now see "+first+".") {
		t.Errorf("printed %q", a.stdout)
	}
	s.call(t, "projects", "rollback", project, first).want(t, 5, "This deployment is already live.")
	s.call(t, "projects", "rollback", project, "dep_none").want(t, 4, "Deployment not found.")
	if a := s.call(t, "projects", "deployments", project, "--limit", "1", "--json").
		want(t, 0); strings.Count(a.stdout, `"statusId"`) != 1 || !strings.Contains(a.stdout, `"live":false`) {
		t.Error(a.stdout)
	}
}

// D8: the log contains actions that the server takes by itself for an agent, such as opening a proposal and publishing
// its preview, in addition to the requested ones.
func TestAgentActionsAreAudited(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	files := siteFiles()
	files["index.mdx"] = "---\ntitle: Welcome\n---\n\n[Start](/guides/strat).\n"
	project := strings.TrimSpace(s.call(t, "projects", "create", "--name", "Docs", "--domain", "docs.example.com",
		"--path", write(t, files), "--wait").want(t, 0).stdout)
	s.call(t, "agent", "start", "--project", project, "--prompt", "fix broken links", "--wait").want(t, 0)
	s.reviewProposal(t, project)
	var all client.EventList
	if err := json.Unmarshal([]byte(s.call(t, "events", "list", "--json").want(t, 0).stdout), &all); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, e := range all.Events {
		found[strings.TrimSpace(e.Action+" "+e.Data["trigger"])] = e.Actor
	}
	for action, actor := range map[string]string{"proposal.open": "system", "deployment.start agent": "system",
		"proposal.comment": found["agent.start"], "proposal.resolve": found["agent.start"],
		"proposal.unresolve": found["agent.start"], "proposal.approve": found["agent.start"],
		"proposal.edit": found["agent.start"], "proposal.merge": found["agent.start"]} {
		if found[action] != actor {
			t.Errorf("%s was done by %q, want %s: %v", action, found[action], actor, found)
		}
	}
	if !strings.HasPrefix(found["agent.start"], "key_") {
		t.Errorf("%v", found)
	}
	s.call(t, "events", "check").want(t, 0)
}
