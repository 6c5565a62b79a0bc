package client_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
)

const (
	assistantPart = `{"type":"source-url","sourceId":"1","url":"https://docs.example.com/a","title":"A"}`
	askedSource   = `{"title":"A","url":"https://docs.example.com/a"}`
	asked         = `{"id":"msg_1","threadId":"thr_1","timestamp":"2026-01-02T03:04:05Z","query":"q","response":"r","responseType":"answer","outcome":"answered","sources":[` + askedSource + `],"resolutionStatus":"answered","resolution":"resolved","queryCategory":null,"pageUrl":"https://docs.example.com/a","caller":"web","helpful":true,"comment":"c","model":"m"}`
	thread        = `{"threadId":"thr_1","createdAt":"2026-01-02T03:04:05Z","messages":[{"id":"msg_1_q","role":"user","content":"q","createdAt":"2026-01-02T03:04:05Z","timestamp":"2026-01-02T03:04:05Z","responseType":null,"outcome":null,"sources":[],"helpful":null,"comment":null},{"id":"msg_1","role":"assistant","content":"r","createdAt":"2026-01-02T03:04:05Z","timestamp":"2026-01-02T03:04:05Z","responseType":"answer","outcome":"answered","sources":[` + askedSource + `],"helpful":false,"comment":"c"}]}`
)

const dataAnswer = `f:{"messageId":"msg_1"}
2:[{"type":"thread","threadId":"thr_1","mode":"local"}]
0:"Hello"

h:{"sourceType":"url","id":"1","url":"https://docs.example.com/a","title":"A"}
e:{"finishReason":"stop","usage":{"promptTokens":0,"completionTokens":0},"isContinued":false}
d:{"finishReason":"stop","usage":{"promptTokens":0,"completionTokens":0},"threadId":"thr_1"}
`

func TestAnAnswerInTheOlderFormIsReadWhole(t *testing.T) {
	for body, want := range map[string]string{dataAnswer: "start data-thread text-delta source-url finish ", "0:\"Hel": "decode part",
		"0:\"Hello\"\n": io.ErrUnexpectedEOF.Error(), "hello\n": "no code", "0:\"a\"\n3:\"It is busy.\"\n": "It is busy."} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }))
		c, err := client.New(server.URL, key)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		err = c.AskAssistantV1(t.Context(), "d", client.NewQuestion("q"), func(p client.AssistantPart) error { got += p.Type + " "; return nil })
		if err == nil && got != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %s %v", body, got, err)
		}
		server.Close()
	}
}

func assistantOperations() []operation {
	week := client.Days{From: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 1, 9, 0, 0, 0, 0, time.UTC)}
	return []operation{
		{"askAssistant", "/discovery/v2/assistant/docs.example.com/message", 200, ": still here\n\ndata: " + assistantPart + "\n\ndata: [DONE]\n\n", func(ctx context.Context, c *client.Client) (any, error) {
			ask := client.NewQuestion("How?")
			ask.ThreadID, ask.CurrentPath, ask.RetrievalPageSize = ptr("thr_1"), "/a", 5
			ask.Context, ask.Filter = []client.AssistantContext{{Type: "code", Value: "x", Path: "/a"}}, &client.AssistantFilter{Version: "v1", Language: "en"}
			var last client.AssistantPart
			err := c.AskAssistant(ctx, "docs.example.com", ask, func(p client.AssistantPart) error { last = p; return nil })
			return &last, err
		}},
		{"askAssistantV1", "/discovery/v1/assistant/docs.example.com/message", 200, dataAnswer, func(ctx context.Context, c *client.Client) (any, error) {
			var source client.AssistantPart
			err := c.AskAssistantV1(ctx, "docs.example.com", client.NewQuestion("How?"), func(p client.AssistantPart) error {
				if p.Type == "source-url" {
					source = p
				}
				return nil
			})
			return &source, err
		}},
		{"listQuestions", "/v1/analytics/prj_1/assistant?cursor=a+b&dateFrom=2026-01-02&dateTo=2026-01-09&limit=5", 200, `{"conversations":[` + asked + `],"nextCursor":"n","hasMore":true}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ListQuestions(ctx, "prj_1", week, client.Page{Limit: 5, Cursor: "a b"})
		}},
		{"getThread", "/v1/analytics/prj_1/assistant/threads/thr_1", 200, thread, func(ctx context.Context, c *client.Client) (any, error) {
			return c.GetThread(ctx, "prj_1", "thr_1")
		}},
		{"countQuestions", "/v1/analytics/prj_1/assistant/caller-stats?dateFrom=2026-01-02&dateTo=2026-01-09", 200, `{"web":1,"api":2,"other":3,"total":6}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.CountQuestions(ctx, "prj_1", week)
		}},
	}
}

func TestAnAnswerThatBreaksOffIsAnError(t *testing.T) {
	for body, want := range map[string]string{"data: " + assistantPart + "\n\n": io.ErrUnexpectedEOF.Error(), "data: {\"type\":\"error\",\"errorText\":\"It is busy.\"}\n\ndata: [DONE]\n\n": "It is busy.", "data: no\n\n": "decode part"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }))
		c, err := client.New(server.URL, key)
		if err != nil {
			t.Fatal(err)
		}
		err = c.AskAssistant(t.Context(), "d", client.NewQuestion("q"), func(client.AssistantPart) error { return nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", body, err)
		}
		server.Close()
	}
}
