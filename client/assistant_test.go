package client_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

const (
	assistantPart = `{"type":"source-url","sourceId":"1","url":"https://docs.example.com/a","title":"A"}`
)

const dataAnswer = `f:{"messageId":"msg_1"}
2:[{"type":"thread","threadId":"thr_1","mode":"local"}]
0:"Hello"

h:{"sourceType":"url","id":"1","url":"https://docs.example.com/a","title":"A"}
e:{"finishReason":"stop","usage":{"promptTokens":0,"completionTokens":0},"isContinued":false}
d:{"finishReason":"stop","usage":{"promptTokens":0,"completionTokens":0},"threadId":"thr_1"}
`

func TestAnswerInV1FormatIsReadCompletely(t *testing.T) {
	for body, want := range map[string]string{dataAnswer: "start data-thread text-delta source-url finish ",
		"0:\"Hel":       "decode part",
		"0:\"Hello\"\n": io.ErrUnexpectedEOF.Error(), "hello\n": "no code",
		"0:\"a\"\n3:\"It is busy.\"\n": "It is busy."} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, body)
		}))
		c, err := client.New(server.URL, key)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		err = c.AskAssistantV1(t.Context(), "d", client.NewQuestion("q"),
			func(p client.AssistantPart) error { got += p.Type + " "; return nil })
		if err == nil && got != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %s %v", body, got, err)
		}
		server.Close()
	}
}

func assistantOperations() []operation {
	return []operation{
		{"askAssistant", "/discovery/v2/assistant/docs.example.com/message", 200, ": still here\n\ndata: " +
			assistantPart + "\n\ndata: [DONE]\n\n", func(ctx context.Context, c *client.Client) (any, error) {
			ask := client.NewQuestion("How?")
			ask.ThreadID, ask.CurrentPath, ask.RetrievalPageSize = ptr("thr_1"), "/a", 5
			ask.Context, ask.Filter = []client.AssistantContext{{Type: "code", Value: "x", Path: "/a"}},
				&client.AssistantFilter{Version: "v1", Language: "en"}
			var last client.AssistantPart
			err := c.AskAssistant(ctx, "docs.example.com", ask,
				func(p client.AssistantPart) error { last = p; return nil })
			return &last, err
		}},
		{"askAssistantV1", "/discovery/v1/assistant/docs.example.com/message", 200, dataAnswer,
			func(ctx context.Context, c *client.Client) (any, error) {
				var source client.AssistantPart
				err := c.AskAssistantV1(ctx, "docs.example.com", client.NewQuestion("How?"),
					func(p client.AssistantPart) error {
						if p.Type == "source-url" {
							source = p
						}
						return nil
					})
				return &source, err
			}},
	}
}

func TestTruncatedAnswerIsAnError(t *testing.T) {
	for body, want := range map[string]string{"data: " + assistantPart + "\n\n": io.ErrUnexpectedEOF.Error(),
		"data: {\"type\":\"error\",\"errorText\":\"It is busy.\"}\n\ndata: [DONE]\n\n": "It is busy.",
		"data: no\n\n": "decode part"} {
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
