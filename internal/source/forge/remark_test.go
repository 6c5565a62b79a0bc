package forge

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

// remarkEvents maps the last part of a fixture's name to the event name of each host.
var remarkEvents = map[string]map[string]string{
	"github": {"comment-pull": "issue_comment", "comment-issue": "issue_comment", "comment-line": "pull_request_review_comment",
		"label-issue": "issues"},
	"gitea":   {"comment-pull": "issue_comment", "comment-issue": "issue_comment", "label-issue": "issues"},
	"forgejo": {"comment-pull": "issue_comment", "comment-issue": "issue_comment", "label-issue": "issues"},
	"gitlab": {"comment-pull": "Note Hook", "comment-issue": "Note Hook", "comment-line": "Note Hook",
		"label-issue": "Issue Hook"},
	"bitbucket": {"comment-pull": "pullrequest:comment_created", "comment-issue": "issue:comment_created",
		"comment-line": "pullrequest:comment_created"},
	"bitbucket-dc": {"comment-pull": "pr:comment:added"},
}

func remarkFixture(t *testing.T, host, name string) []byte {
	return fixture(t, strings.Replace(host, "forgejo", "gitea", 1)+"-"+name)
}

func TestCommentsOfAllHostsParseToSameType(t *testing.T) {
	for host, events := range remarkEvents {
		for name, event := range events {
			body := remarkFixture(t, host, name)
			got, err := ParseEvent(hosts[host].header(event, body), body, secret)
			if err != nil || got.Remark == nil || got.Pull != nil || got.Push != nil {
				t.Errorf("%s %s: %+v, %v", host, name, got, err)
				continue
			}
			r := *got.Remark
			want := pull.Remark{Delivery: "d-1", Repository: "acme/docs", Number: 42, Issue: strings.HasSuffix(name, "issue"),
				URL: r.URL, By: pull.Person{Name: "quill", ID: r.By.ID}, Comment: r.Comment, Labels: r.Labels, Title: "Install",
				Body: "It lacks a step."}
			switch host {
			case "gitlab":
				want.Repository, want.By.ID = "acme/handbook/docs", "8"
			case "bitbucket":
				want.By.ID = "{0000-8}"
			case "bitbucket-dc":
				want.Repository = "ACME/docs"
			}
			if strings.HasPrefix(name, "comment") {
				want.Text, want.Labels = "@lectern fix the links", nil
			} else {
				want.Comment = ""
			}
			if strings.HasSuffix(name, "line") {
				want.File, want.Line = "docs/index.mdx", 7
			}
			labelled := slices.Contains(r.Labels, "docs-agent")
			r.Labels, want.Labels = nil, nil
			if !same(r, want) || labelled == (r.Comment != "") || !strings.Contains(r.URL, "/42") || !strings.HasPrefix(r.URL, "https://") {
				t.Errorf("%s %s: %+v, want %+v", host, name, r, want)
			}
		}
	}
}

func same(a, b pull.Remark) bool {
	a.Labels, b.Labels = nil, nil
	return a.Delivery == b.Delivery && a.Repository == b.Repository && a.Number == b.Number && a.Issue == b.Issue && a.By == b.By &&
		a.Comment == b.Comment && a.Text == b.Text && a.Title == b.Title && a.Body == b.Body && a.File == b.File && a.Line == b.Line
}

// Only new comments and labels count, because people other than the author could edit existing comments.
func TestOtherRemarksAreIgnored(t *testing.T) {
	for _, c := range []struct{ host, name, from, to string }{
		{"github", "comment-pull", `"created"`, `"edited"`}, {"github", "label-issue", `"labeled"`, `"unlabeled"`},
		{"gitea", "comment-issue", `"created"`, `"deleted"`}, {"gitea", "label-issue", `"label_updated"`, `"label_cleared"`},
		{"gitlab", "comment-pull", `"create"`, `"update"`}, {"gitlab", "comment-pull", `"system": false`, `"system": true`},
		{"gitlab", "comment-pull", `"author_id": 8`, `"author_id": 9`},
		{"gitlab", "label-issue", `"current"`, `"other"`},
		{"bitbucket", "comment-pull", `"uuid"`, `"other"`}, {"bitbucket-dc", "comment-pull", `"name"`, `"other"`},
	} {
		body := []byte(strings.ReplaceAll(string(remarkFixture(t, c.host, c.name)), c.from, c.to))
		if got, err := ParseEvent(hosts[c.host].header(remarkEvents[c.host][c.name], body), body, secret); !errors.Is(err, ErrIgnored) {
			t.Errorf("%s, %s: %+v, %v", c.host, c.to, got, err)
		}
	}
}

// W5: a comment is only accepted from a code host with a valid signature.
func TestRemarksWithoutValidSignatureAreRefused(t *testing.T) {
	for host, events := range remarkEvents {
		for name, event := range events {
			body := remarkFixture(t, host, name)
			if _, err := ParseEvent(hosts[host].header(event, body), body, secret+"x"); !fault.HasCode(err, "bad_signature") {
				t.Errorf("%s %s: %v", host, name, err)
			}
			d, _ := eventDriver(hosts[host].header(event, body))
			if _, err := d.parseRemark(hosts[host].header(event, body), body, secret+"x"); !fault.HasCode(err, "bad_signature") {
				t.Errorf("%s %s: %v", host, name, err)
			}
		}
	}
}
