package adminapi_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/aistream"
	"github.com/lectern-docs/lectern/internal/domain/account"
)

// A client of AI SDK 4 sends its text as content and reads the data stream.
func TestOlderSDKCanAskAssistant(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	at := "/discovery/v1/assistant/" + x.project.Domains[0] + "/message"
	body := `{"fp":"anonymous","threadId":null,"filter":null,"messages":[{"id":"0","role":"data","content":""},
		{"id":"1","role":"user","content":"How do I bolt the thruster?","parts":[{"type":"text","text":"How do I bolt the thruster?"}]}]}`
	got := w.do(t, ask{"POST", at, x.key, body, nil}).want(t, 200)
	if got.header.Get(aistream.DataHeader) != "v1" || got.header.Get("Content-Type") != aistream.DataContentType ||
		got.header.Get(aistream.Header) != "" {
		t.Errorf("%v", got.header)
	}
	text := string(got.body)
	for _, part := range []string{`f:{"messageId":"msg_`, "\n2:[{\"type\":\"thread\",\"threadId\":\"thr_", "\n0:\"",
		"four screws",
		"\nh:{\"sourceType\":\"url\",\"id\":\"1\",\"url\":\"http://" + x.project.Domains[0], "\ne:{",
		"\nd:{\"finishReason\":\"stop\""} {
		if !strings.Contains("\n"+text, part) {
			t.Errorf("%s is missing in\n%s", part, text)
		}
	}
	for bad, field := range map[string]string{
		`{"messages":[{"id":"1","role":"user","content":7,"parts":[]}]}`: "messages", `{"fp":"x"}`: "messages",
		`{"fp":1,"messages":[]}`: "fp"} {
		if got := w.do(t, ask{"POST", at, x.key, bad, nil}).
			want(t, 400); !strings.Contains(string(got.body), `"field":"`+field+`"`) {
			t.Errorf("%s: %s", bad, got.body)
		}
	}
	w.do(t, ask{"POST", "/discovery/v1/assistant/" + x.folder.Domains[0] + "/message", x.key, body, nil}).want(t, 409)
}

// A chat continues in its thread. Chats by other readers, or on sites of other organizations, do not join it, even if
// they have the same chat id.
func TestChatContinuesInItsThread(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	stranger := w.newTenant(t, "b", account.PlanFree)
	thread := func(x tenant, version, more string) string {
		t.Helper()
		body := `{"messages":[{"id":"1","role":"user","parts":[{"type":"text","text":"How do I bolt the thruster?"}]}]` + more + `}`
		got := w.do(t, ask{"POST", "/discovery/" + version + "/assistant/" + x.project.Domains[0] + "/message", x.key,
			body, nil}).want(t, 200)
		if version == "v1" {
			_, rest, _ := strings.Cut(string(got.body), `"threadId":"`)
			return rest[:30]
		}
		a, err := aistream.ReadAll(bytes.NewReader(got.body))
		must(t, err)
		return a.Thread.ThreadID
	}
	first := thread(x, "v2", `,"id":"support","fp":"reader-1"`)
	for name, again := range map[string]string{"the same": thread(x, "v2", `,"id":"support","fp":"reader-1"`),
		"the older API": thread(x, "v1", `,"id":"support","fp":"reader-1"`)} {
		if again != first {
			t.Errorf("%s: %s, not %s", name, again, first)
		}
	}
	got := w.do(t, ask{"GET", "/v1/analytics/" + x.project.ID + "/assistant/threads/" + first, x.key, "", nil}).
		want(t, 200)
	if n := strings.Count(string(got.body), `"role":"user"`); n != 3 {
		t.Errorf("the thread has %d questions", n)
	}
	seen := map[string]string{first: "the first"}
	for name, other := range map[string]string{
		"another reader":                   thread(x, "v2", `,"id":"support","fp":"reader-2"`),
		"no reader":                        thread(x, "v2", `,"id":"support"`),
		"no reader again":                  thread(x, "v2", `,"id":"support"`),
		"empty reader":                     thread(x, "v1", `,"id":"support","fp":""`),
		"another chat":                     thread(x, "v2", `,"id":"support2","fp":"reader-1"`),
		"moved border":                     thread(x, "v2", `,"id":"1support","fp":"reader-"`),
		"another organization":             thread(stranger, "v2", `,"id":"support","fp":"reader-1"`),
		"no name":                          thread(x, "v2", `,"fp":"reader-1"`),
		"no name again":                    thread(x, "v2", `,"fp":"reader-1"`),
		"another organization with the id": thread(stranger, "v2", `,"threadId":"`+first+`"`),
	} {
		if was, taken := seen[other]; taken {
			t.Errorf("%s continues the thread of %s", name, was)
		}
		seen[other] = name
	}
}
