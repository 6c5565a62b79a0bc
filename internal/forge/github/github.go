// Package github reads the events of GitHub and GitHub Enterprise Server.
//
// In: the raw header and body of a webhook delivery, and its secret.
// Out: a push in the family's own shape.
// Never: another host's headers.
package github

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/lectern-docs/lectern/internal/forge/push"
)

// payload is the part of a push event that we read.
type payload struct {
	Ref        string
	After      string
	Deleted    bool
	Repository struct {
		FullName string `json:"full_name"`
	}
}

// ParsePush checks X-Hub-Signature-256 and reads a push event.
func ParsePush(h http.Header, body []byte, secret string) (push.Push, error) {
	signature, ok := strings.CutPrefix(h.Get("X-Hub-Signature-256"), "sha256=")
	if !ok {
		return push.Push{}, push.BadSignature()
	}
	if err := push.CheckHMAC(signature, body, secret); err != nil {
		return push.Push{}, err
	}
	if h.Get("X-GitHub-Event") != "push" {
		return push.Push{}, push.ErrIgnored
	}
	// The web form's default content type wraps the JSON; the signature covers the wrapped form.
	if strings.HasPrefix(h.Get("Content-Type"), "application/x-www-form-urlencoded") {
		form, err := url.ParseQuery(string(body))
		if err != nil {
			return push.Push{}, push.Malformed("The event's form cannot be read.").WithCause(err)
		}
		body = []byte(form.Get("payload"))
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
