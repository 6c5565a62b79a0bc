package assistanthttp_test

import (
	"bytes"
	"net/netip"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/aistream"
	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/assistanthttp"
	"github.com/lectern-docs/lectern/internal/serve/auth"
)

// A chat client's id for a conversation is enough to continue it, but only for the same reader. A client that
// includes an earlier answer can continue its thread from anywhere.
func TestChatContinuesInItsThread(t *testing.T) {
	w := newWorld(t, nil)
	s := w.serve(func(o *assistanthttp.Options, _ *assistant.Conversations) {
		o.Proxies = auth.Proxies{netip.MustParsePrefix("127.0.0.0/8")}
	})
	thread := func(more, address, browser string) string {
		t.Helper()
		res, raw := w.send(s, "POST", capability.AskPath, question+more+"}", "Sec-Fetch-Site", "same-origin",
			"X-Forwarded-For", address, "User-Agent", browser)
		a, err := aistream.ReadAll(bytes.NewReader(raw))
		if res.StatusCode != 200 || err != nil {
			t.Fatalf("%d %s %v", res.StatusCode, raw, err)
		}
		return a.Thread.ThreadID
	}
	first := thread(`,"id":"chat-1"`, "203.0.113.7", "Mozilla/5.0 A")
	if again := thread(`,"id":"chat-1","fp":"anything"`, "203.0.113.7", "Mozilla/5.0 A"); again != first {
		t.Errorf("the second turn is in thread %s, want %s", again, first)
	}
	for name, other := range map[string]string{"network": thread(`,"id":"chat-1"`, "203.0.112.7", "Mozilla/5.0 A"),
		"browser": thread(`,"id":"chat-1"`, "203.0.113.7", "Mozilla/5.0 B"),
		"chat":    thread(`,"id":"chat-2"`, "203.0.113.7", "Mozilla/5.0 A")} {
		if other == first {
			t.Errorf("another %s continues the thread", name)
		}
	}
	said := strings.Replace(question, `"messages":[`,
		`"messages":[{"role":"assistant","parts":[{"type":"data-thread","data":{"threadId":"`+first+`"}}]},`, 1)
	res, raw := w.send(s, "POST", capability.AskPath, said+`,"id":"chat-9"}`, "Sec-Fetch-Site", "same-origin",
		"X-Forwarded-For", "198.51.100.1")
	if a, err := aistream.ReadAll(bytes.NewReader(raw)); err != nil || a.Thread.ThreadID != first {
		t.Errorf("%d %s %v", res.StatusCode, raw, err)
	}
	if list, err := w.store.FindThread(t.Context(), w.project.ID, first); err != nil || len(list) != 3 {
		t.Errorf("%d exchanges, %v", len(list), err)
	}
}

// C7: on a private site, a chat belongs to one person with their current groups: it contains no answers given to
// others, who may see other pages, even in the same browser.
func TestPrivateSiteChatBelongsToOneReader(t *testing.T) {
	w := newWorld(t, nil)
	s := w.serve(nil)
	seen := map[string]string{}
	for _, who := range [][2]string{{"", ""}, {"one", ""}, {"two", ""}, {"two", "staff"}, {"three", "staff"}} {
		header := []string{"Sec-Fetch-Site", "same-origin", "User-Agent", "Mozilla/5.0", "X-Test-Reader", who[0]}
		if who[1] != "" {
			header = append(header, "X-Test-Group", who[1])
		}
		for range 2 {
			res, raw := w.send(s, "POST", capability.AskPath, question+`,"id":"chat-1"}`, header...)
			a, err := aistream.ReadAll(bytes.NewReader(raw))
			if res.StatusCode != 200 || err != nil {
				t.Fatalf("%d %s %v", res.StatusCode, raw, err)
			}
			name := strings.Join(who[:], " in ")
			if other, met := seen[a.Thread.ThreadID]; met && other != name {
				t.Errorf("%q continues the chat of %q", name, other)
			}
			seen[a.Thread.ThreadID] = name
		}
	}
	if len(seen) != 5 {
		t.Errorf("five readers have %d chats", len(seen))
	}
}
