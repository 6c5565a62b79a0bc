// Package gitlab reads the events of GitLab.
//
// In: the raw header and body of a webhook delivery, and its secret token.
// Out: a push in the family's own shape.
// Never: another host's headers.
package gitlab

import (
	"cmp"
	"net/http"

	"github.com/lectern-docs/lectern/internal/forge/push"
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
	return push.New(cmp.Or(h.Get("X-Gitlab-Event-UUID"), h.Get("Idempotency-Key")), p.Project.Path, change)
}
