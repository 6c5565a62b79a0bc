package adminapi_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/store"
)

func eventOf(x tenant, i int, at time.Time) event.Event {
	return event.New(x.org.ID, "operator", "organization.plan", x.org.ID, "", at, map[string]string{"n": fmt.Sprint(i)})
}

// shownEvent is an event as shown in lists.
type shownEvent struct {
	EventID, Actor, Action, Target, Hash, PrevHash string
	Sequence                                       int64
	ActorName, TargetName, RequestID               *string
	Data                                           map[string]string
	At                                             time.Time
}

type eventPage struct {
	Events     []shownEvent
	NextCursor *string
}

func (w *world) events(t testing.TB, key, query string) eventPage {
	t.Helper()
	return read[eventPage](t, w.do(t, ask{"GET", "/v1/events?" + query, key, "", nil}).want(t, 200))
}

func TestEventsNameActorAndTarget(t *testing.T) {
	w := newWorld(t, nil)
	x := w.idleTenant(t, "a", account.PlanPro)
	labelled, labelledID := w.newKey(t, x.org.ID, func(k *account.Key) { k.Label = "ci" })
	w.do(t, ask{"PATCH", "/v1/projects/" + x.project.ID, labelled, `{"name":"Handbook"}`,
		map[string]string{"X-Request-Id": "mine-to-choose"}}).want(t, 200)
	w.do(t, ask{"PATCH", "/v1/members/" + x.members["viewer"].ID, "", `{"role":"editor"}`, nil}.as(x.members["admin"])).
		want(t, 200)
	w.do(t, ask{"DELETE", "/v1/members/" + x.members[""].ID, x.key, "", nil}).want(t, 204)
	got := w.events(t, x.key, "").Events
	if len(got) != 3 || got[0].Sequence != 3 || got[1].PrevHash != got[2].Hash {
		t.Fatalf("%+v", got)
	}
	name := func(s *string) string {
		if s == nil {
			return "-"
		}
		return *s
	}
	for i, want := range []string{
		"member.remove " + x.keyID + " - " + x.members[""].ID + " -", // the key has no label, and the member was removed
		"member.role " + x.members["admin"].ID + " " + x.members["admin"].Email + " " + x.members["viewer"].ID + " " +
			x.members["viewer"].Email,
		"project.update " + labelledID + " ci " + x.project.ID + " Handbook",
	} {
		if e := got[i]; strings.Join([]string{e.Action, e.Actor, name(e.ActorName), e.Target, name(e.TargetName)},
			" ") != want {
			t.Errorf("%+v, want %s", e, want)
		}
	}
	if got[2].RequestID == nil || *got[2].RequestID != "mine-to-choose" {
		t.Errorf("%+v", got[2])
	}
	other := w.idleTenant(t, "b", account.PlanPro)
	if list := w.events(t, other.key, "").Events; len(list) != 0 {
		t.Errorf("another organization sees %+v", list)
	}
}

func TestEventsAreFiltered(t *testing.T) {
	w := newWorld(t, nil)
	x := w.idleTenant(t, "a", account.PlanPro)
	start := w.clock.Now()
	w.do(t, ask{"PATCH", "/v1/organization", x.key, `{"name":"x"}`, nil}).want(t, 200)
	w.clock.Advance(time.Hour)
	w.do(t, ask{"DELETE", "/v1/keys/" + x.spareKeyID, "", "", nil}.as(x.members["admin"])).want(t, 204)
	w.clock.Advance(time.Hour)
	w.do(t, ask{"POST", "/v1/keys", x.key, `{}`, nil}).want(t, 201)
	at := func(d time.Duration) string { return url.QueryEscape(start.Add(d).Format(time.RFC3339Nano)) }
	for query, want := range map[string]string{
		"":                               "3 2 1",
		"actor=" + x.keyID:               "3 1",
		"actor=" + x.members["admin"].ID: "2",
		"action=key":                     "3 2",
		"action=key.revoke":              "2",
		"action=ke":                      "",
		"action=key.":                    "",
		"target=" + x.spareKeyID:         "2",
		"target=%27%20OR%201%3D1":        "",
		"since=" + at(time.Hour):         "3 2",
		"until=" + at(time.Hour):         "1",
		"action=key&until=" + at(time.Hour+time.Microsecond):           "2",
		"since=2100-01-01T00:00:00Z":                                   "",
		"since=0000-01-01T00:00:00Z&until=9999-12-31T23:59:59%2B02:00": "3 2 1",
		"actor=" + x.keyID + "&action=organization&target=" + x.org.ID: "1",
	} {
		var got []string
		for _, e := range w.events(t, x.key, query).Events {
			got = append(got, fmt.Sprint(e.Sequence))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
		if lines := w.exported(t, x.key, "format=ndjson&"+query); len(lines) != len(got) ||
			len(got) > 0 && fmt.Sprint(lines[0].Sequence) != got[len(got)-1] {
			t.Errorf("%s: exported %d, listed %v", query, len(lines), got)
		}
	}
	for _, bad := range []string{"actor=" + strings.Repeat("x", 201), "target=%ff", "action=a%0ab", "since=2026-01-01",
		"until=2026-01-01T00:00:00+02:00"} {
		w.do(t, ask{"GET", "/v1/events?" + bad, x.key, "", nil}).want(t, 400)
	}
}

// A10: a client that follows cursors sees each event once while new ones are added.
func TestEventPaginationNeitherSkipsNorRepeats(t *testing.T) {
	w := newWorld(t, nil)
	x := w.idleTenant(t, "a", account.PlanPro)
	record := func(i int) {
		must(t, w.store.Tx(t.Context(),
			func(tx *store.Tx) error { return tx.Record(t.Context(), eventOf(x, i, w.clock.Now())) }))
	}
	for i := range 25 {
		record(i)
	}
	next, cursor := int64(25), ""
	for {
		page := w.events(t, x.key, "limit=7&cursor="+cursor)
		for _, e := range page.Events {
			if e.Sequence != next {
				t.Fatalf("event %d, want %d", e.Sequence, next)
			}
			next--
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
		record(0)
	}
	if next != 0 {
		t.Errorf("%d events were skipped", next)
	}
}
