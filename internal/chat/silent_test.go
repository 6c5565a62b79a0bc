package chat_test

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/offer"
)

// Readers who ask not to be counted are answered, and not counted.
func TestReadersWhoAskNotToBeCountedAreNot(t *testing.T) {
	w := newWorld(t, nil)
	s := w.serve(nil)
	for _, header := range []string{"DNT", "Sec-GPC"} {
		if res, raw := w.send(s, "POST", offer.AskPath, question+"}", header, "1"); res.StatusCode != 200 {
			t.Fatalf("%s: %d %s", header, res.StatusCode, raw)
		}
	}
	if len(w.events.list) != 0 {
		t.Errorf("%+v", w.events.list)
	}
	if w.ask(s, ""); len(w.events.list) != 1 {
		t.Errorf("%+v", w.events.list)
	}
}
