package rest

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/push"
)

const (
	longestBranch     = 250
	longestDelivery   = 200
	longestRepository = 1024
)

// NewEvent returns an event about a pull request, without the fields about the delivery.
func NewEvent(p pull.Pull, change pull.Change, own bool) pull.Event {
	return pull.Event{Number: p.Number, URL: p.URL, Head: p.Head, Base: p.Base, Fork: !own,
		HeadCommit: p.Commit, Change: change, State: p.State}
}

// CheckEvent refuses an incomplete event.
func CheckEvent(e pull.Event) (pull.Event, error) {
	switch {
	case strings.Trim(e.Repository, "/") == "" || len(e.Repository) > longestRepository:
		return pull.Event{}, push.Malformed("The event has no repository.")
	case e.Number <= 0:
		return pull.Event{}, push.Malformed("The event has no pull request.")
	case e.Head == "" || len(e.Head) > longestBranch:
		return pull.Event{}, push.Malformed("The event has no branch.")
	case len(e.Delivery) > longestDelivery:
		return pull.Event{}, push.Malformed("The event's delivery id is too long.")
	case (e.Change == pull.Ended) == (e.State == pull.Open): // such as a push to a closed pull request
		return pull.Event{}, push.ErrIgnored
	}
	return e, nil
}
