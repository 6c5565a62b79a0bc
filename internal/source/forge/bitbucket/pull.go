package bitbucket

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/push"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// ParsePull checks X-Hub-Signature and reads that a pull request of either edition was declined, deleted, merged or
// reopened.
func ParsePull(h http.Header, body []byte, secret string) (pull.Event, error) {
	delivery, err := check(h, body, secret)
	if err != nil {
		return pull.Event{}, err
	}
	switch key := h.Get("X-Event-Key"); key {
	case "pullrequest:fulfilled", "pullrequest:rejected":
		return cloudEvent(delivery, body)
	case "pr:reopened", "pr:merged", "pr:declined", "pr:deleted":
		return centerEvent(delivery, key, body)
	}
	return pull.Event{}, push.ErrIgnored
}

func cloudEvent(delivery string, body []byte) (pull.Event, error) {
	var p struct {
		PullRequest cloudPull
		Repository  struct {
			FullName string `json:"full_name"`
		}
	}
	if err := push.Decode(body, &p); err != nil {
		return pull.Event{}, err
	}
	at := p.PullRequest.pull()
	e := pull.Event{Delivery: delivery, Repository: p.Repository.FullName, Number: at.Number, URL: at.URL,
		Head: at.Head, State: at.State}
	if c := p.PullRequest.MergeCommit; c != nil && at.State == pull.Merged {
		e.Commit = rest.Commit(c.Hash)
	}
	return rest.CheckEvent(e, p.PullRequest.own())
}

func centerEvent(delivery, key string, body []byte) (pull.Event, error) {
	var p struct{ PullRequest centerPull }
	if err := push.Decode(body, &p); err != nil {
		return pull.Event{}, err
	}
	at := p.PullRequest.pull()
	e := pull.Event{Delivery: delivery, Repository: p.PullRequest.ToRef.repository(), Number: at.Number, URL: at.URL,
		Head: at.Head, State: at.State}
	switch {
	case key == "pr:deleted":
		e.State = pull.Closed
	case at.State == pull.Merged:
		e.Commit = rest.Commit(p.PullRequest.Properties.MergeCommit.ID)
	}
	return rest.CheckEvent(e, p.PullRequest.own())
}
