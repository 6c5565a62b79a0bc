package assistanthttp

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Limits for a question.
const (
	MaxBody     = 64 << 10 // bytes
	maxMessages = 50
	maxPath     = conversation.MaxPage // characters
	maxFilter   = 100                  // characters
)

// Ask is a parsed question request.
type Ask struct {
	Question    assistant.Question
	Thread      assistant.Thread // as named by the client, without Reader
	Fingerprint string           // identifies the person asking if a program asks on behalf of others; "" = unknown
	// Groups of the person asking, as reported by such a program. A site's own endpoint must not use them, because
	// anyone could claim to be in a group.
	Groups []string
}

// body is a request body. Other fields that chat clients send, such as trigger and metadata, are ignored.
type body struct {
	ID          string    `json:"id"` // chat id, assigned by the client
	Fingerprint string    `json:"fp"`
	Messages    []message `json:"messages"`
	ThreadID    string    `json:"threadId"`
	CurrentPath string    `json:"currentPath"`
	Context     []struct {
		Type  string `json:"type"`
		Value string `json:"value"`
		Path  string `json:"path"`
	} `json:"context"`
	Filter struct {
		Version  string `json:"version"`
		Language string `json:"language"`

		Groups []string `json:"groups"`
	} `json:"filter"`
	RetrievalPageSize *int `json:"retrievalPageSize"`
}

// message is one turn. Clients of AI SDK 4 also send the text as content.
type message struct {
	Role    string `json:"role"`
	Content any    `json:"content"`
	Parts   []struct {
		Type string          `json:"type"`
		Text string          `json:"text"`
		Data json.RawMessage `json:"data"`
	} `json:"parts"`
}

// text returns the text of a message.
func (m message) text() string {
	var text []string
	for _, p := range m.Parts {
		if p.Type == "text" {
			text = append(text, p.Text)
		}
	}
	if content, ok := m.Content.(string); ok && len(text) == 0 {
		text = append(text, content)
	}
	return strings.TrimSpace(strings.Join(text, "\n"))
}

// threadID returns the id of the conversation that an answer belongs to, or "" if the message does not contain one.
func (m message) threadID() string {
	for _, p := range m.Parts {
		var data struct{ ThreadID string }
		if m.Role == "assistant" && p.Type == "data-thread" && json.Unmarshal(p.Data, &data) == nil {
			return data.ThreadID
		}
	}
	return ""
}

// ReadBody reads a request body of at most MaxBody bytes.
func ReadBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, tooLarge()
	case err != nil:
		return nil, fault.New(fault.Invalid, "unreadable_body", "The body could not be read completely.").WithCause(err)
	}
	return raw, nil
}

func tooLarge() error {
	return fault.Newf(fault.TooLarge, "body_too_large", "The body is larger than %d KiB.", MaxBody>>10).
		WithHint("Remove the oldest messages.")
}

// ParseAsk parses a question.
func ParseAsk(raw []byte) (Ask, error) {
	var in body
	if len(raw) > MaxBody {
		return Ask{}, tooLarge()
	}
	if !utf8.Valid(raw) {
		return Ask{}, fault.New(fault.Invalid, "invalid_json", "The body is not valid UTF-8.")
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) && wrong.Field != "" {
			return Ask{}, invalid(wrong.Field, wrong.Field+" has the wrong type.")
		}
		return Ask{}, fault.New(fault.Invalid, "invalid_json", "The body is not a JSON object.").WithCause(err)
	}
	out := Ask{Thread: assistant.Thread{ID: in.ThreadID, Chat: in.ID}, Fingerprint: in.Fingerprint,
		Groups: in.Filter.Groups}
	for _, m := range in.Messages {
		if seen := m.threadID(); seen != "" {
			out.Thread.Seen = seen
		}
	}
	if err := in.turns(&out.Question); err != nil {
		return out, err
	}
	return out, in.rest(&out.Question)
}

// turns adds the messages to q; the last one is the question.
func (in *body) turns(q *assistant.Question) error {
	if len(in.Messages) == 0 {
		return fault.New(fault.Invalid, "missing_field", "messages must contain at least one message.").
			WithField("messages")
	}
	if len(in.Messages) > maxMessages {
		return invalid("messages", "messages may contain at most 50 messages.")
	}
	for i, m := range in.Messages {
		all := m.text()
		switch {
		case !slices.Contains([]string{"user", "assistant", "system", "data"}, m.Role):
			return invalid("messages", "A message's role must be user, assistant, system or data.")
		case i < len(in.Messages)-1 && (m.Role == "system" || m.Role == "data"): // only the site may give instructions
		case i < len(in.Messages)-1:
			q.Earlier = append(q.Earlier, assistant.Turn{Reader: m.Role == "user", Text: all})
		case i == len(in.Messages)-1 && (m.Role != "user" || all == ""):
			return invalid("messages", "The last message must have the role user and contain text.")
		case i == len(in.Messages)-1 && utf8.RuneCountInString(all) > conversation.MaxQuestion:
			return invalid("messages", "A question may have at most 4000 characters.")
		case i == len(in.Messages)-1:
			q.Text = all
		}
	}
	return nil
}

func (in *body) rest(q *assistant.Question) error {
	if utf8.RuneCountInString(in.CurrentPath) > maxPath {
		return invalid("currentPath", "currentPath may have at most 200 characters.")
	}
	q.Page = in.CurrentPath
	if len(in.Context) > assistant.MaxContexts {
		return invalid("context", "context may have at most 10 entries.")
	}
	for _, c := range in.Context {
		if c.Type != "code" && c.Type != "textSelection" {
			return invalid("context", "An entry's type must be code or textSelection.")
		}
		if strings.TrimSpace(c.Value) != "" {
			q.Contexts = append(q.Contexts, assistant.Context{Code: c.Type == "code", Text: c.Value, Page: c.Path})
		}
	}
	if len(in.Filter.Language) > maxFilter || len(in.Filter.Version) > maxFilter {
		return invalid("filter", "A filter may have at most 100 bytes.")
	}
	q.Language, q.Version = in.Filter.Language, in.Filter.Version
	if n := in.RetrievalPageSize; n != nil {
		if *n < 1 || *n > assistant.MaxPassages {
			return invalid("retrievalPageSize", "retrievalPageSize must be an integer between 1 and 20.")
		}
		q.Passages = *n
	}
	return nil
}

func invalid(field, sentence string) error {
	return fault.New(fault.Invalid, "invalid_field", sentence).WithField(field)
}
