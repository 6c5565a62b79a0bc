package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// AssistantPart is an event of an answer. Which fields it has depends on its type.
type AssistantPart struct {
	// start, data-thread, text-start, text-delta, text-end, source-url, finish, error
	Type      string           `json:"type"`
	MessageID string           `json:"messageId,omitempty"` // start
	ID        string           `json:"id,omitempty"`        // of the text
	Delta     string           `json:"delta,omitempty"`     // text-delta: Markdown
	SourceID  string           `json:"sourceId,omitempty"`  // source-url: the number that the text cites
	URL       string           `json:"url,omitempty"`
	Title     string           `json:"title,omitempty"`
	ErrorText string           `json:"errorText,omitempty"` // error
	Data      *AssistantThread `json:"data,omitempty"`      // data-thread
}

// AssistantThread names a conversation. Mode is model, or local when passages are quoted.
type AssistantThread struct {
	ThreadID string `json:"threadId"`
	Mode     string `json:"mode"`
}

// Question asks about something, as the only message.
func NewQuestion(text string) AskAssistant {
	return AskAssistant{Messages: []AssistantMessage{{Role: "user",
		Parts: []AssistantMessagePart{{Type: "text", Text: text}}}}}
}

// AskAssistant asks the assistant of the site that is live on a domain. hear gets each part as it comes; its error ends
// the answer and is returned. An answer that fails is an error, and one that breaks off is io.ErrUnexpectedEOF. A key
// with the scope discovery is enough.
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
