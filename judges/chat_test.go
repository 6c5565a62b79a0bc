package judges

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// understood is an answer as a chat client received it.
type understood struct {
	ID, Text, Thread, Metadata string
	Sources                    int
}

// TestChatClientsContinueTheirThread asks two questions in one chat with each AI SDK. The second must belong to the
// first one's thread, whether the client sends the whole chat or only its last message.
func TestChatClientsContinueTheirThread(t *testing.T) {
	t.Parallel()
	s := serve(t, "--features-assistant", "local")
	site := tour(t, s)
	for _, c := range chats() {
		sdk, send := c[0], c[1]
		t.Run(sdk+" "+send, func(t *testing.T) {
			judged(t, "assistant stream, "+map[string]string{"whole": "whole chat sent",
				"last": "last message sent"}[send], npmVersion(t, sdk))
			file, version := "chat.mjs", "v2"
			if sdk == "ai-4" { // its stream has a different format, with its own endpoint
				file, version = "chat4.mjs", "v1"
			}
			script, err := filepath.Abs(filepath.Join("testdata", file))
			if err != nil {
				t.Fatal(err)
			}
			api := s.url + "/discovery/" + version + "/assistant/" + site.Domain + "/message"
			out, err := nodeCommand(t, script, sdk, api, s.key, "chat of "+sdk+" "+send, send).Output()
			var answers []understood
			if err == nil {
				err = json.Unmarshal(out, &answers)
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			checkChat(t, s, site, answers)
		})
	}
	list, err := s.client.ListQuestions(t.Context(), site.ProjectID, client.ListQuestionsParams{})
	threads := map[string]int{}
	for _, q := range list.Conversations {
		threads[q.ThreadID]++
	}
	if err != nil || len(list.Conversations) != 2*len(chats()) || len(threads) != len(chats()) {
		t.Errorf("%d questions in %d threads of %d chats: %v", len(list.Conversations), len(threads), len(chats()), err)
	}
}

// chats returns the SDKs to run, and what each sends: the whole chat or its last message. Node takes a second of processor
// time for each of them.
func chats() (out [][2]string) {
	if !tier.Nightly {
		return [][2]string{{"ai-4", "whole"}, {"ai", "last"}, {"@ai-sdk/react", "whole"}}
	}
	for _, sdk := range []string{"ai-4", "ai-5", "ai-6", "ai", "@ai-sdk/react"} {
		out = append(out, [2]string{sdk, "whole"}, [2]string{sdk, "last"})
	}
	return out
}

func checkChat(t *testing.T, s server, site client.Project, answers []understood) {
	t.Helper()
	if len(answers) != 2 || answers[0].Thread == "" || answers[1].Thread != answers[0].Thread ||
		answers[0].ID == answers[1].ID {
		t.Fatalf("%+v", answers)
	}
	thread, err := s.client.GetThread(t.Context(), site.ProjectID, answers[0].Thread)
	if err != nil || len(thread.Messages) != 4 {
		t.Fatalf("%+v %v", thread, err)
	}
	for i, a := range answers {
		if kept := thread.Messages[2*i+1]; kept.ID != a.ID || kept.Content != a.Text || a.Metadata != a.Thread ||
			a.Sources != len(kept.Sources) {
			t.Errorf("the client has %+v, the server stored %+v", a, kept)
		}
	}
}
