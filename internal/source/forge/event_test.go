package forge

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

const (
	mergeCommit = "1f2e3d4c5b6a79880716253443526170f1e2d3c4"
	headCommit  = "7d5d0f0e2f6d3a9b1c4e8f7a6b5c4d3e2f1a0b9c"
)

// refs maps each host to its ref of pull request 42.
var refs = map[string]string{"github": "refs/pull/42/head", "gitea": "refs/pull/42/head", "forgejo": "refs/pull/42/head",
	"gitlab": "refs/merge-requests/42/head", "bitbucket": "lectern/fix-links-0123456789",
	"bitbucket-dc": "refs/pull-requests/42/from"}

// pullEvents maps each host to its event name for the end of a pull request.
var pullEvents = map[string]string{"github": "pull_request", "gitea": "pull_request", "forgejo": "pull_request",
	"gitlab": "Merge Request Hook", "bitbucket": "pullrequest:fulfilled", "bitbucket-dc": "pr:merged"}

func TestAllHostsPullEventsParseToSameType(t *testing.T) {
	cases := []struct {
		host, event, fixture, repository string
		state                            pull.State
	}{
		{"github", "pull_request", "github-pull-merged", "acme/docs", pull.Merged},
		{"github", "pull_request", "github-pull-closed", "acme/docs", pull.Closed},
		{"gitea", "pull_request", "gitea-pull-merged", "acme/docs", pull.Merged},
		{"gitea", "pull_request", "gitea-pull-closed", "acme/docs", pull.Closed},
		{"gitea", "pull_request", "gitea-pull-reopened", "acme/docs", pull.Open},
		{"forgejo", "pull_request", "gitea-pull-merged", "acme/docs", pull.Merged},
		{"gitlab", "Merge Request Hook", "gitlab-pull-merged", "acme/handbook/docs", pull.Merged},
		{"gitlab", "Merge Request Hook", "gitlab-pull-closed", "acme/handbook/docs", pull.Closed},
		{"bitbucket", "pullrequest:fulfilled", "bitbucket-pull-merged", "acme/docs", pull.Merged},
		{"bitbucket", "pullrequest:rejected", "bitbucket-pull-closed", "acme/docs", pull.Closed},
		{"bitbucket-dc", "pr:merged", "bitbucket-dc-pull-merged", "ACME/docs", pull.Merged},
		{"bitbucket-dc", "pr:declined", "bitbucket-dc-pull-closed", "ACME/docs", pull.Closed},
		{"bitbucket-dc", "pr:deleted", "bitbucket-dc-pull-deleted", "ACME/docs", pull.Closed},
	}
	for _, c := range cases {
		body := fixture(t, c.fixture)
		got, err := ParseEvent(hosts[c.host].header(c.event, body), body, secret)
		if err != nil || got.Pull == nil || got.Push != nil {
			t.Errorf("%s: %+v, %v", c.fixture, got, err)
			continue
		}
		e := *got.Pull
		if !strings.HasPrefix(e.URL, "https://") || !strings.HasSuffix(e.URL, "/42") {
			t.Errorf("%s: address %q", c.fixture, e.URL)
		}
		want := pull.Event{Delivery: "d-1", Repository: c.repository, Number: 42, URL: e.URL,
			Head: "lectern/fix-links-0123456789", Base: "main", Ref: refs[c.host], Change: pull.Ended, State: c.state,
			HeadCommit: headCommit}
		if c.state == pull.Open {
			want.Change = pull.Reopened
		}
		if c.host == "bitbucket" {
			want.HeadCommit = "" // Bitbucket Cloud shortens it
		}
		if c.state == pull.Merged {
			want.Commit = mergeCommit
		}
		if e != want {
			t.Errorf("%s: %+v, want %+v", c.fixture, e, want)
		}
	}
}

func TestParseEventParsesPush(t *testing.T) {
	body := fixture(t, "github-push")
	got, err := ParseEvent(hosts["github"].header("push", body), body, secret)
	if err != nil || got.Push == nil || got.Pull != nil || got.Push.Branch != "main" {
		t.Errorf("%+v, %v", got, err)
	}
}

// Each host has different terms for a new pull request and for new commits in one.
func TestOpenedAndPushedPullRequestsAreParsed(t *testing.T) {
	open := []string{`"action": "closed"`, `"action": "opened"`, `"state": "closed"`, `"state": "open"`}
	for _, c := range []struct {
		host, event, fixture string
		change               pull.Change
		edits                []string
	}{
		{"github", "pull_request", "github-pull-closed", pull.Opened, open},
		{"github", "pull_request", "github-pull-closed", pull.Pushed,
			append([]string{`"action": "closed"`, `"action": "synchronize"`}, open[2:]...)},
		{"gitea", "pull_request", "gitea-pull-closed", pull.Opened, open},
		{"forgejo", "pull_request", "gitea-pull-closed", pull.Pushed,
			append([]string{`"action": "closed"`, `"action": "synchronized"`}, open[2:]...)},
		{"gitlab", "Merge Request Hook", "gitlab-pull-closed", pull.Opened,
			[]string{`"action": "close"`, `"action": "open"`, `"state": "closed"`, `"state": "opened"`}},
		{"gitlab", "Merge Request Hook", "gitlab-pull-closed", pull.Pushed, []string{`"action": "close"`,
			`"action": "update", "oldrev": "` + mergeCommit + `"`, `"state": "closed"`, `"state": "opened"`}},
		{"bitbucket", "pullrequest:created", "bitbucket-pull-closed", pull.Opened, []string{`"DECLINED"`, `"OPEN"`}},
		{"bitbucket", "pullrequest:updated", "bitbucket-pull-closed", pull.Pushed, []string{`"DECLINED"`, `"OPEN"`}},
		{"bitbucket-dc", "pr:opened", "bitbucket-dc-pull-closed", pull.Opened, []string{`"DECLINED"`, `"OPEN"`}},
		{"bitbucket-dc", "pr:from_ref_updated", "bitbucket-dc-pull-closed", pull.Pushed, []string{`"DECLINED"`, `"OPEN"`}},
	} {
		body := []byte(strings.NewReplacer(c.edits...).Replace(string(fixture(t, c.fixture))))
		got, err := ParseEvent(hosts[c.host].header(c.event, body), body, secret)
		if err != nil || got.Pull == nil || got.Pull.Change != c.change || got.Pull.State != pull.Open || got.Pull.Fork ||
			got.Pull.Ref != refs[c.host] {
			t.Errorf("%s %s: %+v, %v", c.host, c.change, got.Pull, err)
		}
	}
}

// Only Bitbucket Cloud has no ref from which a fork's changes can be fetched.
func TestForkEventsAreMarked(t *testing.T) {
	for _, c := range []struct{ host, event, fixture string }{
		{"github", "pull_request", "github-pull-fork"}, {"gitea", "pull_request", "gitea-pull-fork"},
		{"gitlab", "Merge Request Hook", "gitlab-pull-fork"}, {"bitbucket", "pullrequest:fulfilled", "bitbucket-pull-fork"},
		{"bitbucket-dc", "pr:merged", "bitbucket-dc-pull-fork"},
	} {
		body := fixture(t, c.fixture)
		got, err := ParseEvent(hosts[c.host].header(c.event, body), body, secret)
		want := refs[c.host]
		if c.host == "bitbucket" {
			want = ""
		}
		if err != nil || got.Pull == nil || !got.Pull.Fork || got.Pull.Ref != want {
			t.Errorf("%s: %+v, %v", c.host, got.Pull, err)
		}
	}
}

func TestOtherChangesOfPullRequestsAreIgnored(t *testing.T) {
	for _, c := range []struct{ host, event, fixture string }{
		{"github", "pull_request_review", "github-pull-merged"},
		{"gitea", "pull_request_label", "gitea-pull-closed"}, {"gitlab", "Merge Request Hook", "gitlab-pull-update"},
		{"gitlab", "Note Hook", "gitlab-pull-merged"},
		{"bitbucket", "pullrequest:approved", "bitbucket-pull-merged"},
		{"bitbucket-dc", "pr:comment:added", "bitbucket-dc-pull-merged"},
	} {
		body := fixture(t, c.fixture)
		if got, err := ParseEvent(hosts[c.host].header(c.event, body), body, secret); !errors.Is(err, ErrIgnored) {
			t.Errorf("%s %s %s: %+v, %v", c.host, c.event, c.fixture, got, err)
		}
	}
}

// W5: the end of a pull request is only accepted with a valid signature.
func TestPullRequestEventsWithoutValidSignatureAreRefused(t *testing.T) {
	for name, x := range hosts {
		body := []byte(`{"action": `)
		h := x.header(pullEvents[name], body)
		if _, err := ParseEvent(h, body, secret+"x"); !fault.HasCode(err, "bad_signature") {
			t.Errorf("%s, other secret: %v", name, err)
		}
		if _, err := ParseEvent(h, body, secret); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: an authentic body that is not JSON: %v", name, err)
		}
	}
}

// FuzzParsePull passes bodies with valid signatures to every driver. The result is complete, or one of the documented
// errors.
func FuzzParsePull(f *testing.F) {
	files, err := filepath.Glob("testdata/*-pull-*.json")
	if err != nil || len(files) == 0 {
		f.Fatal("no fixtures", err)
	}
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for name, x := range hosts {
			e, err := ParseEvent(x.header(pullEvents[name], body), body, secret)
			switch {
			case err == nil:
				if r := e.Remark; r != nil {
					if r.Repository == "" || r.Number <= 0 || r.By.Name == "" || r.Comment == "" && len(r.Labels) == 0 {
						t.Fatalf("%s: incomplete %+v", name, r)
					}
					continue
				}
				if e.Pull == nil || e.Pull.Repository == "" || e.Pull.Head == "" || e.Pull.Number <= 0 ||
					e.Pull.State == "" || e.Pull.Commit != "" && e.Pull.State != pull.Merged {
					t.Fatalf("%s: incomplete %+v", name, e.Pull)
				}
			case !errors.Is(err, ErrIgnored) && !fault.Is(err, fault.Invalid):
				t.Fatalf("%s: %v", name, err)
			}
		}
	})
}
