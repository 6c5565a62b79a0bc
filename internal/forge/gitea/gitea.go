// Package gitea reads the events of Gitea and Forgejo, which share one format under two header names.
//
// In: the raw header and body of a webhook delivery, and its secret.
// Out: a push in the family's own shape.
// Never: the GitHub headers that these hosts send as well.
package gitea

import (
	"cmp"
	"net/http"

	"github.com/lectern-docs/lectern/internal/forge/push"
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

// ParsePush checks the signature and reads a push event, or the deletion of a branch.
func ParsePush(h http.Header, body []byte, secret string) (push.Push, error) {
	header := func(name string) string { return cmp.Or(h.Get("X-Gitea-"+name), h.Get("X-Forgejo-"+name)) }
	if err := push.CheckHMAC(header("Signature"), body, secret); err != nil {
		return push.Push{}, err
	}
	event := header("Event")
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
	return push.New(header("Delivery"), p.Repository.FullName, change)
}
