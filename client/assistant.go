package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// AskAssistant is a question to the assistant of a site.
type AskAssistant struct {
	Messages          []AssistantMessage `json:"messages"`              // what was said, oldest first; the last is the question
	ThreadID          string             `json:"threadId,omitempty"`    // "" for a new conversation
	CurrentPath       string             `json:"currentPath,omitempty"` // of the page that the reader is on
	Context           []AssistantContext `json:"context,omitempty"`
	Filter            *SearchFilter      `json:"filter,omitempty"`
	RetrievalPageSize int                `json:"retrievalPageSize,omitempty"` // 1 to 20; 0 for 5
}

// AssistantMessage is something that was said. Role is user or assistant.
type AssistantMessage struct {
	ID    string          `json:"id,omitempty"`
	Role  string          `json:"role"`
	Parts []AssistantText `json:"parts"`
}

// AssistantText is a part of a message. Type is text.
type AssistantText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// AssistantContext is something that the reader points at. Type is code or textSelection.
type AssistantContext struct {
	Type  string `json:"type"`
	Value string `json:"value"`
	Path  string `json:"path,omitempty"`
}

// AssistantPart is an event of an answer. Which fields it has depends on its type.
type AssistantPart struct {
	Type      string           `json:"type"`                // start, data-thread, text-start, text-delta, text-end, source-url, finish, error
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
func Question(text string) AskAssistant {
	return AskAssistant{Messages: []AssistantMessage{{Role: "user", Parts: []AssistantText{{Type: "text", Text: text}}}}}
}

// AskAssistant asks the assistant of the site that is live on a domain. hear gets each part as it comes; its error ends the answer and is
// returned. An answer that fails is an error, and one that breaks off is io.ErrUnexpectedEOF. A key with the scope discovery is enough.
func (c *Client) AskAssistant(ctx context.Context, domain string, in AskAssistant, hear func(AssistantPart) error) error {
	resp, err := c.send(ctx, call{method: http.MethodPost, path: []string{"discovery", "v2", "assistant", domain, "message"}, body: in, header: http.Header{"Accept": {"text/event-stream"}}})
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

// QuestionAsked is a question to the assistant and its answer.
type QuestionAsked struct {
	ID               string           `json:"id"`
	ThreadID         string           `json:"threadId"`
	Timestamp        time.Time        `json:"timestamp"`
	Query            string           `json:"query"`
	Response         string           `json:"response"`     // Markdown
	ResponseType     string           `json:"responseType"` // answered, unanswered, refused, failed, local
	Sources          []QuestionSource `json:"sources"`
	ResolutionStatus string           `json:"resolutionStatus"` // resolved, unresolved, unknown
	QueryCategory    *string          `json:"queryCategory"`    // always nil
	PageURL          *string          `json:"pageUrl"`          // nil when unknown
	Caller           string           `json:"caller"`           // web, api, other
	Helpful          *bool            `json:"helpful"`          // nil when the reader said nothing
	Comment          *string          `json:"comment"`
	Model            *string          `json:"model"` // nil when none was asked
}

// QuestionSource is a place that an answer cites.
type QuestionSource struct {
	Title string `json:"title"`
	URL   string `json:"url"`
}

// QuestionList is one page of questions.
type QuestionList struct {
	Conversations []QuestionAsked `json:"conversations"`
	NextCursor    *string         `json:"nextCursor"`
	HasMore       bool            `json:"hasMore"`
}

// Thread is a conversation.
type Thread struct {
	ThreadID  string          `json:"threadId"`
	CreatedAt time.Time       `json:"createdAt"`
	Messages  []ThreadMessage `json:"messages"`
}

// ThreadMessage is one side of an exchange. Role is user or assistant.
type ThreadMessage struct {
	ID           string           `json:"id"`
	Role         string           `json:"role"`
	Content      string           `json:"content"`
	Timestamp    time.Time        `json:"timestamp"`
	ResponseType *string          `json:"responseType"` // nil for questions
	Sources      []QuestionSource `json:"sources"`
	Helpful      *bool            `json:"helpful"`
	Comment      *string          `json:"comment"`
}

// CallerStats counts questions by where they came from.
type CallerStats struct {
	Web   int64 `json:"web"`
	API   int64 `json:"api"`
	Other int64 `json:"other"`
	Total int64 `json:"total"`
}

// ListQuestions lists what was asked, newest first.
func (c *Client) ListQuestions(ctx context.Context, projectID string, d Days, page Page) (*QuestionList, error) {
	return get[QuestionList](ctx, c, d.query(page.query()), "v1", "analytics", projectID, "assistant")
}

// GetThread reads a conversation.
func (c *Client) GetThread(ctx context.Context, projectID, threadID string) (*Thread, error) {
	return get[Thread](ctx, c, nil, "v1", "analytics", projectID, "assistant", "threads", threadID)
}

// CountQuestions counts what was asked.
func (c *Client) CountQuestions(ctx context.Context, projectID string, d Days) (*CallerStats, error) {
	return get[CallerStats](ctx, c, d.query(map[string][]string{}), "v1", "analytics", projectID, "assistant", "caller-stats")
}
