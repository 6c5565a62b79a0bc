package gitlab

import (
	"cmp"
	"net/http"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/push"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// payload is the part of a push hook that we read.
type payload struct {
	Ref     string
	After   string
	Project struct {
		Path string `json:"path_with_namespace"`
	}
}

// ParsePush checks X-Gitlab-Token, which is the secret itself, and reads a push hook.
func ParsePush(h http.Header, body []byte, secret string) (push.Push, error) {
	if err := push.CheckToken(h.Get("X-Gitlab-Token"), secret); err != nil {
		return push.Push{}, err
	}
	if h.Get("X-Gitlab-Event") != "Push Hook" {
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

// ParsePull checks the secret and reads that a merge request was closed, merged or reopened.
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
			MergeCommit string `json:"merge_commit_sha"`
		} `json:"object_attributes"`
	}
	if err := push.Decode(body, &p); err != nil {
		return pull.Event{}, err
	}
	m := p.Attributes
	switch m.Action {
	case "reopen", "close", "merge":
	default:
		return pull.Event{}, push.ErrIgnored
	}
	e := pull.Event{Delivery: delivery(h), Repository: p.Project.Path, Number: m.IID, URL: rest.Web(m.URL),
		Head: m.SourceBranch, State: state(m.State)}
	if e.State == pull.Merged {
		e.Commit = rest.Commit(m.MergeCommit)
	}
	return rest.CheckEvent(e, m.own())
}
