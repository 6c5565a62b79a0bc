package bitbucket

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/push"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// changes maps the event keys of both products. Bitbucket Cloud uses the second one for all kinds of changes.
var changes = map[string]pull.Change{
	"pullrequest:created": pull.Opened, "pullrequest:updated": pull.Pushed, "pullrequest:fulfilled": pull.Ended,
	"pullrequest:rejected": pull.Ended, "pr:opened": pull.Opened, "pr:from_ref_updated": pull.Pushed,
	"pr:reopened": pull.Reopened, "pr:merged": pull.Ended, "pr:declined": pull.Ended, "pr:deleted": pull.Ended,
}

// ParsePull checks X-Hub-Signature and parses an event of either product about a pull request that was opened,
// pushed to, declined, deleted, merged or reopened.
func ParsePull(h http.Header, body []byte, secret string) (pull.Event, error) {
	delivery, err := check(h, body, secret)
	if err != nil {
		return pull.Event{}, err
	}
	key := h.Get("X-Event-Key")
	change, ok := changes[key]
	switch {
	case !ok:
		return pull.Event{}, push.ErrIgnored
	case strings.HasPrefix(key, "pr:"):
		return centerEvent(delivery, key, change, body)
	}
	return cloudEvent(delivery, change, body)
}

// cloudEvent parses an event of Bitbucket Cloud, which has no refs for pull requests: git can only fetch a branch
// in the repository itself.
func cloudEvent(delivery string, change pull.Change, body []byte) (pull.Event, error) {
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
	e := rest.NewEvent(at, change, p.PullRequest.own())
	e.Delivery, e.Repository = delivery, p.Repository.FullName
	if !e.Fork {
		e.Ref = at.Head
	}
	if c := p.PullRequest.MergeCommit; c != nil && at.State == pull.Merged {
		e.Commit = rest.Commit(c.Hash)
	}
	return rest.CheckEvent(e)
}

func centerEvent(delivery, key string, change pull.Change, body []byte) (pull.Event, error) {
	var p struct{ PullRequest centerPull }
	if err := push.Decode(body, &p); err != nil {
		return pull.Event{}, err
	}
	at := p.PullRequest.pull()
	e := rest.NewEvent(at, change, p.PullRequest.own())
	e.Delivery, e.Repository = delivery, p.PullRequest.ToRef.repository()
	e.Ref = "refs/pull-requests/" + strconv.FormatInt(at.Number, 10) + "/from"
	switch {
	case key == "pr:deleted":
		e.State = pull.Closed
	case at.State == pull.Merged:
		e.Commit = rest.Commit(p.PullRequest.Properties.MergeCommit.ID)
	}
	return rest.CheckEvent(e)
}
