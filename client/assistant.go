package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// AssistantPart is one event in a streamed answer. Type determines which fields are set.
type AssistantPart struct {
	// start, data-thread, text-start, text-delta, text-end, source-url, finish, error
	Type      string           `json:"type"`
	MessageID string           `json:"messageId,omitempty"` // start
	ID        string           `json:"id,omitempty"`        // text-start, text-delta and text-end
	Delta     string           `json:"delta,omitempty"`     // text-delta: Markdown
	SourceID  string           `json:"sourceId,omitempty"`  // source-url: the number used in the text to cite it
	URL       string           `json:"url,omitempty"`
	Title     string           `json:"title,omitempty"`
	ErrorText string           `json:"errorText,omitempty"` // error
	Data      *AssistantThread `json:"data,omitempty"`      // data-thread
}

// AssistantThread identifies a conversation. Mode is "model", or "local" when the answer only quotes passages.
type AssistantThread struct {
	ThreadID string `json:"threadId"`
	Mode     string `json:"mode"`
}

// NewQuestion returns a request with text as its only message.
func NewQuestion(text string) AskAssistant {
	return AskAssistant{Messages: []AssistantMessage{{Role: "user",
		Parts: []AssistantMessagePart{{Type: "text", Text: text}}}}}
}

// AskAssistant asks the assistant of the site that is live on a domain. It calls hear with each part as it arrives. An
// error from hear ends the stream and is returned. A failed answer is an error, and a truncated one is
// io.ErrUnexpectedEOF. The key needs only the discovery scope.
func (c *Client) AskAssistant(ctx context.Context, domain string, in AskAssistant,
	hear func(AssistantPart) error) error {
	asked := askAssistantCall(domain, in)
	asked.header = http.Header{"Accept": {"text/event-stream"}}
	resp, err := c.send(ctx, asked)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	ended := false
	err = readEvents(resp.Body, maxLine, func(_, data string) error {
		if data == "[DONE]" {
			ended = true
			return nil
		}
		var p AssistantPart
		if err := json.Unmarshal([]byte(data), &p); err != nil {
			return fmt.Errorf("decode part: %w", err)
		}
		if p.Type == "error" {
			return errors.New(p.ErrorText)
		}
		return hear(p)
	})
	if err == nil && !ended {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	return nil
}
