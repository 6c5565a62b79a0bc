package forge

import (
	"errors"
	"net/http"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

// Event is an event from a code host: exactly one field is set.
type Event struct {
	Push   *Push
	Pull   *pull.Event
	Remark *pull.Remark
}

// ParseEvent verifies an event's signature and parses it. body must be the request's raw bytes. The errors are those of
// ParsePush; ErrIgnored is returned for authentic events that neither push a branch, nor open, close, merge, reopen or
// update a pull request, nor comment on or label a pull request or an issue.
func ParseEvent(h http.Header, body []byte, secret string) (Event, error) {
	p, err := ParsePush(h, body, secret)
	if err == nil {
		return Event{Push: &p}, nil
	}
	if !errors.Is(err, ErrIgnored) {
		return Event{}, err
	}
	d, _ := eventDriver(h) // ParsePush has already found the driver
	change, err := d.parsePull(h, body, secret)
	if err == nil {
		return Event{Pull: &change}, nil
	}
	if !errors.Is(err, ErrIgnored) {
		return Event{}, err
	}
	remark, err := d.parseRemark(h, body, secret)
	if err != nil {
		return Event{}, err
	}
	return Event{Remark: &remark}, nil
}
