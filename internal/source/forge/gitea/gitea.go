package gitea

import (
	"cmp"
	"net/http"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/push"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// payload is the part of push and delete events that we read. In a delete event, ref is a short name.
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

// ParsePush checks the signature and reads a push event, or the deletion of a branch.
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
		if p.RefType != "branch" {
			return push.Push{}, push.ErrIgnored
		}
		p.Ref, p.After = "refs/heads/"+p.Ref, push.Gone
	}
	change, err := push.FromRef(p.Ref, p.After)
	if err != nil {
		return push.Push{}, err
	}
	return push.New(header(h, "Delivery"), p.Repository.FullName, change)
}

// ParsePull checks the signature and reads that a pull request was closed, merged or reopened.
func ParsePull(h http.Header, body []byte, secret string) (pull.Event, error) {
	if err := push.CheckHMAC(header(h, "Signature"), body, secret); err != nil {
		return pull.Event{}, err
	}
	if header(h, "Event") != "pull_request" {
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
	at := p.PullRequest.pull()
	e := pull.Event{Delivery: header(h, "Delivery"), Repository: p.Repository.FullName, Number: at.Number, URL: at.URL,
		Head: at.Head, State: at.State}
	if at.State == pull.Merged {
		e.Commit = rest.Commit(p.PullRequest.MergeCommit)
	}
	switch p.Action {
	case "reopened", "closed":
		return rest.CheckEvent(e, p.PullRequest.own())
	}
	return pull.Event{}, push.ErrIgnored
}
