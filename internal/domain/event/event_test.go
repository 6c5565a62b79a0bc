package event_test

import (
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/event"
)

// D8: an altered record is detected.
func TestAlteredRecordFailsHashCheck(t *testing.T) {
	e := event.New("org_a", "key_a", "project.create", "prj_a", "req_a", time.Unix(1, 0),
		map[string]string{"name": "x"}).Chain(1, "")
	if !e.Verify() {
		t.Fatal("a fresh record does not verify")
	}
	for name, alter := range map[string]func(*event.Event){
		"actor": func(e *event.Event) { e.Actor = "key_b" }, "action": func(e *event.Event) { e.Action = "x" },
		"data": func(e *event.Event) { e.Data = map[string]string{"name": "y"} }, "sequence": func(e *event.Event) {
			e.Sequence = 2
		},
		"time": func(e *event.Event) { e.At = e.At.Add(time.Second) }, "previous": func(e *event.Event) {
			e.PrevHash = "0"
		},
	} {
		c := e
		alter(&c)
		if c.Verify() {
			t.Errorf("altered %s was not detected", name)
		}
	}
}
