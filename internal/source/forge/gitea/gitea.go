package gitea

import (
	"cmp"
	"net/http"
	"strconv"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/push"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// payload is the part of push and delete events that we use. In a delete event, ref is a short name.
type payload struct {
	Ref        string
	RefType    string `json:"ref_type"`
	After      string
	Repository struct {
		FullName string `json:"full_name"`
	}
}

func header(h http.Header, name string) string {
	return cmp.Or(h.Get("X-Gitea-"+name), h.Get("X-Forgejo-"+name))
}

// ParsePush checks the signature and parses a push event, or the deletion of a branch or tag.
func ParsePush(h http.Header, body []byte, secret string) (push.Push, error) {
	if err := push.CheckHMAC(header(h, "Signature"), body, secret); err != nil {
		return push.Push{}, err
	}
	event := header(h, "Event")
	if event != "push" && event != "delete" {
		return push.Push{}, push.ErrIgnored
	}
	var p payload
	if err := push.Decode(body, &p); err != nil {
		return push.Push{}, err
	}
	if event == "delete" {
		prefix, ok := map[string]string{"branch": "refs/heads/", "tag": push.TagPrefix}[p.RefType]
		if !ok {
			return push.Push{}, push.ErrIgnored
		}
		p.Ref, p.After = prefix+p.Ref, push.Gone
	}
	change, err := push.FromRef(p.Ref, p.After)
	if err != nil {
		return push.Push{}, err
	}
	return push.New(header(h, "Delivery"), p.Repository.FullName, change)
}

// changes maps the host's actions.
var changes = map[string]pull.Change{"opened": pull.Opened, "synchronized": pull.Pushed, "reopened": pull.Reopened,
	"closed": pull.Ended}

// ParsePull checks the signature and parses an event about a pull request that was opened, pushed to, closed,
// merged or reopened.
func ParsePull(h http.Header, body []byte, secret string) (pull.Event, error) {
	if err := push.CheckHMAC(header(h, "Signature"), body, secret); err != nil {
		return pull.Event{}, err
	}
	if name := header(h, "Event"); name != "pull_request" && name != "pull_request_sync" {
		return pull.Event{}, push.ErrIgnored
	}
	var p struct {
		Action      string
		PullRequest struct {
			pullRequest
			MergeCommit string `json:"merge_commit_sha"`
		} `json:"pull_request"`
		Repository struct {
			FullName string `json:"full_name"`
		}
	}
	if err := push.Decode(body, &p); err != nil {
		return pull.Event{}, err
	}
	change, ok := changes[p.Action]
	if !ok {
		return pull.Event{}, push.ErrIgnored
	}
	at := p.PullRequest.pull()
	e := rest.NewEvent(at, change, p.PullRequest.own())
	e.Delivery, e.Repository = header(h, "Delivery"), p.Repository.FullName
	e.Ref = "refs/pull/" + strconv.FormatInt(at.Number, 10) + "/head"
	if at.State == pull.Merged {
		e.Commit = rest.Commit(p.PullRequest.MergeCommit)
	}
	return rest.CheckEvent(e)
}
