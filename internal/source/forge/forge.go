package forge

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/push"
)

// Push is a push event.
type Push = push.Push

// ErrIgnored is returned for authentic events that push no branch or tag, such as pings.
var ErrIgnored = push.ErrIgnored

// ParsePush verifies and parses a push event. body must be the request's raw bytes. The errors are ErrIgnored, a
// fault with code bad_signature, or a fault of kind Invalid.
func ParsePush(h http.Header, body []byte, secret string) (Push, error) {
	d, ok := eventDriver(h)
	if !ok {
		return Push{}, fault.New(fault.Invalid, "unknown_event",
			"The request is not an event from a supported code host.").
			WithHint("Use this address for a push webhook on GitHub, GitLab, Gitea, Forgejo or Bitbucket.")
	}
	return d.parsePush(h, body, secret)
}
