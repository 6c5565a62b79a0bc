package forge

import (
	"errors"
	"net/http"

	"github.com/lectern-docs/lectern/internal/source/forge/bitbucket"
	"github.com/lectern-docs/lectern/internal/source/forge/gitea"
	"github.com/lectern-docs/lectern/internal/source/forge/github"
	"github.com/lectern-docs/lectern/internal/source/forge/gitlab"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

// Event is what a code host reported: exactly one of the two.
type Event struct {
	Push *Push
	Pull *pull.Event
}

// ParseEvent verifies an event's signature and parses it. body must be the request's raw bytes. The errors are those of
// ParsePush; ErrIgnored is for authentic events that neither push a branch nor close, merge or reopen a pull request of
// the repository itself.
func ParseEvent(h http.Header, body []byte, secret string) (Event, error) {
	p, err := ParsePush(h, body, secret)
	if err == nil {
		return Event{Push: &p}, nil
	}
	if !errors.Is(err, ErrIgnored) {
		return Event{}, err
	}
	change, err := parsePull(h, body, secret)
	if err != nil {
		return Event{}, err
	}
	return Event{Pull: &change}, nil
}

// parsePull chooses as ParsePush does, which has found that one of them knows the event.
func parsePull(h http.Header, body []byte, secret string) (pull.Event, error) {
	switch {
	case h.Get("X-Gitea-Event") != "" || h.Get("X-Forgejo-Event") != "":
		return gitea.ParsePull(h, body, secret)
	case h.Get("X-Gitlab-Event") != "":
		return gitlab.ParsePull(h, body, secret)
	case h.Get("X-GitHub-Event") != "":
		return github.ParsePull(h, body, secret)
	}
	return bitbucket.ParsePull(h, body, secret)
}
