package github

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/push"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// payload is the part of a push event that we use.
type payload struct {
	Ref        string
	After      string
	Deleted    bool
	Repository struct {
		FullName string `json:"full_name"`
	}
}

// open checks X-Hub-Signature-256 and returns the event's JSON. GitHub's default content type wraps the JSON in a form;
// the signature covers the form.
func open(h http.Header, body []byte, secret string) ([]byte, error) {
	signature, ok := strings.CutPrefix(h.Get("X-Hub-Signature-256"), "sha256=")
	if !ok {
		return nil, push.BadSignature()
	}
	if err := push.CheckHMAC(signature, body, secret); err != nil {
		return nil, err
	}
	if !strings.HasPrefix(h.Get("Content-Type"), "application/x-www-form-urlencoded") {
		return body, nil
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, push.Malformed("The event's form data cannot be parsed.").WithCause(err)
	}
	return []byte(form.Get("payload")), nil
}

// ParsePush checks the signature and parses a push event.
func ParsePush(h http.Header, body []byte, secret string) (push.Push, error) {
	body, err := open(h, body, secret)
	if err != nil {
		return push.Push{}, err
	}
	if h.Get("X-GitHub-Event") != "push" {
		return push.Push{}, push.ErrIgnored
	}
	var p payload
	if err := push.Decode(body, &p); err != nil {
		return push.Push{}, err
	}
	if p.Deleted {
		p.After = push.Gone
	}
	change, err := push.FromRef(p.Ref, p.After)
	if err != nil {
		return push.Push{}, err
	}
	return push.New(h.Get("X-GitHub-Delivery"), p.Repository.FullName, change)
}

// changes maps GitHub's actions.
var changes = map[string]pull.Change{"opened": pull.Opened, "synchronize": pull.Pushed, "reopened": pull.Reopened,
	"closed": pull.Ended}

// ParsePull checks the signature and parses an event about a pull request that was opened, pushed to, closed,
// merged or reopened.
func ParsePull(h http.Header, body []byte, secret string) (pull.Event, error) {
	body, err := open(h, body, secret)
	if err != nil {
		return pull.Event{}, err
	}
	if h.Get("X-GitHub-Event") != "pull_request" {
		return pull.Event{}, push.ErrIgnored
	}
	var p struct {
		Action      string
		PullRequest struct {
			pullRequest
			MergeCommit string `json:"merge_commit_sha"` // before the merge, the commit of a test merge
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
	e.Delivery, e.Repository = h.Get("X-GitHub-Delivery"), p.Repository.FullName
	e.Ref = "refs/pull/" + strconv.FormatInt(at.Number, 10) + "/head"
	if at.State == pull.Merged {
		e.Commit = rest.Commit(p.PullRequest.MergeCommit)
	}
	return rest.CheckEvent(e)
}
