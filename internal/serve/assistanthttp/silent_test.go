package assistanthttp_test

import (
	"bytes"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/aistream"
	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/assistanthttp"
	"github.com/lectern-docs/lectern/internal/serve/auth"
)

// Readers who opt out of counting get answers but are not counted.
func TestReadersWhoOptOutAreNotCounted(t *testing.T) {
	w := newWorld(t, nil)
	s := w.serve(nil)
	for _, header := range []string{"DNT", "Sec-GPC"} {
		if res, raw := w.send(s, "POST", capability.AskPath, question+"}", header, "1"); res.StatusCode != 200 {
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

// A chat id links questions for at most a day and within one network, so that a thread does not identify a reader
// permanently.
func TestChatIDLinksQuestionsForOneDay(t *testing.T) {
	w := newWorld(t, nil)
	now := time.Date(2026, 3, 4, 23, 0, 0, 0, time.UTC)
	s := w.serve(func(o *assistanthttp.Options, d *assistant.Conversations) {
		o.Proxies, d.Now = auth.Proxies{netip.MustParsePrefix("127.0.0.0/8")}, func() time.Time { return now }
	})
	first := w.namedChat(s, "X-Forwarded-For", "203.0.113.7")
	if near := w.namedChat(s, "X-Forwarded-For", "203.0.113.200"); near != first {
		t.Errorf("the thread depends on the last byte of the address: %s, %s", first, near)
	}
	now = now.Add(2 * time.Hour)
	if later := w.namedChat(s, "X-Forwarded-For", "203.0.113.7"); later == first {
		t.Errorf("the thread is the same on the next day: %s", later)
	}
}

// Readers who opt out of counting get no thread derived from their address and browser.
func TestReadersWhoOptOutGetNoDerivedThread(t *testing.T) {
	w := newWorld(t, nil)
	s := w.serve(nil)
	for _, header := range []string{"DNT", "Sec-GPC"} {
		if first, second := w.namedChat(s, header, "1"), w.namedChat(s, header, "1"); first == second {
			t.Errorf("%s: two questions are in the thread %s", header, first)
		}
	}
}

// namedChat asks a question in a chat that its client calls "chat", and returns the thread.
func (w *world) namedChat(s *httptest.Server, header ...string) string {
	w.t.Helper()
	res, raw := w.send(s, "POST", capability.AskPath, question+`,"id":"chat"}`, header...)
	a, err := aistream.ReadAll(bytes.NewReader(raw))
	if res.StatusCode != 200 || err != nil {
		w.t.Fatalf("%d %s %v", res.StatusCode, raw, err)
	}
	return a.Thread.ThreadID
}
