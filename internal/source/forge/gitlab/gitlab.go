package gitlab

import (
	"cmp"
	"net/http"
	"strconv"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/push"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// payload is the part of a push hook that we use.
type payload struct {
	Ref     string
	After   string
	Project struct {
		Path string `json:"path_with_namespace"`
	}
}

// ParsePush checks X-Gitlab-Token, which is the secret itself, and parses a push hook.
func ParsePush(h http.Header, body []byte, secret string) (push.Push, error) {
	if err := push.CheckToken(h.Get("X-Gitlab-Token"), secret); err != nil {
		return push.Push{}, err
	}
	if event := h.Get("X-Gitlab-Event"); event != "Push Hook" && event != "Tag Push Hook" {
		return push.Push{}, push.ErrIgnored
	}
	var p payload
	if err := push.Decode(body, &p); err != nil {
		return push.Push{}, err
	}
	change, err := push.FromRef(p.Ref, p.After)
	if err != nil {
		return push.Push{}, err
	}
	return push.New(delivery(h), p.Project.Path, change)
}

func delivery(h http.Header) string {
	return cmp.Or(h.Get("X-Gitlab-Event-UUID"), h.Get("Idempotency-Key"))
}

// changes maps GitLab's actions.
var changes = map[string]pull.Change{"open": pull.Opened, "update": pull.Pushed, "reopen": pull.Reopened,
	"close": pull.Ended, "merge": pull.Ended}

// ParsePull checks the secret and parses an event about a merge request that was opened, pushed to, closed, merged
// or reopened.
func ParsePull(h http.Header, body []byte, secret string) (pull.Event, error) {
	if err := push.CheckToken(h.Get("X-Gitlab-Token"), secret); err != nil {
		return pull.Event{}, err
	}
	if h.Get("X-Gitlab-Event") != "Merge Request Hook" {
		return pull.Event{}, push.ErrIgnored
	}
	var p struct {
		Project struct {
			Path string `json:"path_with_namespace"`
		}
		Attributes struct {
			mergeRequest
			URL         string
			Action      string
			MergeCommit string              `json:"merge_commit_sha"`
			OldRev      string              // the head before a push
			LastCommit  struct{ ID string } `json:"last_commit"`
		} `json:"object_attributes"`
	}
	if err := push.Decode(body, &p); err != nil {
		return pull.Event{}, err
	}
	m := p.Attributes
	change, ok := changes[m.Action]
	if !ok || change == pull.Pushed && m.OldRev == "" { // a changed title, label or reviewer
		return pull.Event{}, push.ErrIgnored
	}
	m.WebURL, m.SHA = m.URL, m.LastCommit.ID
	e := rest.NewEvent(m.pull(), change, m.own())
	e.Delivery, e.Repository = delivery(h), p.Project.Path
	e.Ref = "refs/merge-requests/" + strconv.FormatInt(m.IID, 10) + "/head"
	if e.State == pull.Merged {
		e.Commit = rest.Commit(m.MergeCommit)
	}
	return rest.CheckEvent(e)
}
