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

// CheckEvent refuses a report that lacks something, and ignores one about changes that are not in the repository
// itself.
func CheckEvent(e pull.Event, own bool) (pull.Event, error) {
	switch {
	case strings.Trim(e.Repository, "/") == "" || len(e.Repository) > longestRepository:
		return pull.Event{}, push.Malformed("The event has no repository.")
	case e.Number <= 0:
		return pull.Event{}, push.Malformed("The event has no pull request.")
	case e.Head == "" || len(e.Head) > longestBranch:
		return pull.Event{}, push.Malformed("The event has no branch.")
	case len(e.Delivery) > longestDelivery:
		return pull.Event{}, push.Malformed("The event's delivery id is too long.")
	case !own:
		return pull.Event{}, push.ErrIgnored
	}
	return e, nil
}
