package adminapi

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func showEvent(e event.Event, names map[string]string) client.Event {
	return client.Event{EventID: e.ID, Sequence: e.Sequence, At: stamp(e.At), Actor: e.Actor,
		ActorName: orNull(names[e.Actor]), Action: e.Action, Target: e.Target,
		TargetName: orNull(names[e.Target]), RequestID: orNull(e.RequestID), Data: e.Data, PrevHash: e.PrevHash,
		Hash: e.Hash}
}

func (a *api) listEvents(c *call) (response, error) {
	page, err := c.page()
	if err != nil {
		return response{}, err
	}
	below, err := eventPlace(page.Cursor)
	if err != nil {
		return response{}, err
	}
	f, err := c.eventFilter()
	if err != nil {
		return response{}, err
	}
	list, err := a.Store.FindEvents(c.ctx(), c.org(), f, below, page.Limit+1)
	if err != nil {
		return response{}, err
	}
	body := client.EventList{Events: []client.Event{}}
	if len(list) > page.Limit {
		list = list[:page.Limit]
		body.NextCursor = orNull(eventCursor(list[page.Limit-1].Sequence))
	}
	var ids []string
	for _, e := range list {
		ids = append(ids, e.Actor, e.Target)
	}
	names, err := a.Store.FindNames(c.ctx(), c.org(), ids)
	if err != nil {
		return response{}, err
	}
	for _, e := range list {
		body.Events = append(body.Events, showEvent(e, names))
	}
	return response{status: http.StatusOK, body: body}, nil
}

// A cursor is the number of the last event on a page. Numbers have no gaps, and new events only appear before the first
// page, so a client that follows cursors sees each event exactly once (A10).

func eventCursor(sequence int64) string {
	return base64.RawURLEncoding.EncodeToString([]byte("before " + strconv.FormatInt(sequence, 10)))
}

// eventPlace decodes a cursor; 0 = start with the newest event.
func eventPlace(cursor string) (int64, error) {
	if cursor == "" {
		return 0, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	number, ok := strings.CutPrefix(string(raw), "before ")
	n, bad := strconv.ParseInt(number, 10, 64)
	if err != nil || !ok || bad != nil || n < 1 {
		return 0, fault.New(fault.Invalid, "invalid_field", "cursor is not a value returned by a list.").
			WithField("cursor")
	}
	return n, nil
}

// maxFilter is the maximum length of a filter value, in bytes.
const maxFilter = 200

// eventFilter parses the event filters.
func (c *call) eventFilter() (f store.EventFilter, err error) {
	q, err := c.query()
	if err != nil {
		return f, err
	}
	for name, into := range map[string]*string{"actor": &f.Actor, "action": &f.Action, "target": &f.Target} {
		if *into, err = filterWord(q, name); err != nil {
			return f, err
		}
	}
	if f.Since, err = filterTime(q, "since"); err != nil {
		return f, err
	}
	f.Until, err = filterTime(q, "until")
	return f, err
}

func filterWord(q url.Values, name string) (string, error) {
	v := q.Get(name)
	if len(v) > maxFilter || !utf8.ValidString(v) || strings.ContainsFunc(v, unicode.IsControl) {
		return "", fault.Newf(fault.Invalid, "invalid_field", "%s may have at most %d printable characters.", name,
			maxFilter).WithField(name)
	}
	return v, nil
}

func filterTime(q url.Values, name string) (time.Time, error) {
	v := q.Get(name)
	if v == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, v)
	if err != nil {
		return t, fault.Newf(fault.Invalid, "invalid_field", "%s must be a time such as 2026-01-31T12:00:00Z.", name).
			WithField(name).
			WithHint("In an address, write a + as %2B.")
	}
	return t, nil
}
