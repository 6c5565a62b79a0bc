package aistream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Header and ContentType are the headers of a response in this form.
const (
	Header      = "x-vercel-ai-ui-message-stream"
	Version     = "v1"
	ContentType = "text/event-stream"
)

// Form is the format of the response.
type Form int

// Supported forms.
const (
	UIMessages Form = iota // for AI SDK 5 and later: server-sent events
	DataParts              // for AI SDK 4: lines with a code before each value, see data.go
)

// Part is one event. Its type determines which fields are set.
type Part struct {
	Type      string  `json:"type"`
	MessageID string  `json:"messageId,omitempty"` // start
	ID        string  `json:"id,omitempty"`        // text-start, text-delta, text-end
	Delta     string  `json:"delta,omitempty"`     // text-delta
	SourceID  string  `json:"sourceId,omitempty"`  // source-url
	URL       string  `json:"url,omitempty"`
	Title     string  `json:"title,omitempty"`
	ErrorText string  `json:"errorText,omitempty"` // error
	Data      *Thread `json:"data,omitempty"`      // data-thread

	Metadata *Metadata `json:"messageMetadata,omitempty"` // finish
}

// Metadata is what chat clients store with a message.
type Metadata struct {
	ThreadID string `json:"threadId"`
}

// Thread is the content of our custom part, data-thread.
type Thread struct {
	ThreadID string `json:"threadId"`
	Mode     string `json:"mode"` // model, or local: answers quote passages
}

// Writer writes an answer. Its methods are called in the order start, texts, sources, finish. It is not safe for
// concurrent use.
type Writer struct {
	to       io.Writer
	form     Form
	text     bool   // a text is open
	texts    int    // number of texts opened
	threadID string // "" until started
}

// NewWriter returns a Writer that makes one Write call per event.
func NewWriter(to io.Writer, form Form) *Writer { return &Writer{to: to, form: form} }

// Start starts an answer in a conversation.
func (w *Writer) Start(messageID string, t Thread) error {
	w.threadID = t.ThreadID
	if err := w.Begin(messageID); err != nil {
		return err
	}
	return w.put(Part{Type: "data-thread", Data: &t})
}

// Begin starts an answer outside any conversation.
func (w *Writer) Begin(messageID string) error {
	return w.put(Part{Type: "start", MessageID: messageID})
}

// Text appends to the answer's text. An empty piece is ignored.
func (w *Writer) Text(piece string) error {
	if piece == "" {
		return nil
	}
	if !w.text {
		w.text = true
		w.texts++
		if err := w.put(Part{Type: "text-start", ID: w.textID()}); err != nil {
			return err
		}
	}
	return w.put(Part{Type: "text-delta", ID: w.textID(), Delta: piece})
}

func (w *Writer) textID() string { return fmt.Sprint("t", w.texts) }

// EndText ends the open text, if any. The next call of Text starts another one.
func (w *Writer) EndText() error {
	if !w.text {
		return nil
	}
	w.text = false
	return w.put(Part{Type: "text-end", ID: w.textID()})
}

// Data writes a part defined by the caller. Only the form UIMessages supports it.
func (w *Writer) Data(name string, value any) error {
	if err := w.EndText(); err != nil {
		return err
	}
	raw, err := encode(struct {
		Type string `json:"type"`
		Data any    `json:"data"`
	}{"data-" + name, value})
	if err != nil {
		return err
	}
	return w.write(fmt.Appendf(nil, "data: %s\n\n", raw))
}

// Source adds the source that the text cites as [id].
func (w *Writer) Source(id, url, title string) error {
	if err := w.EndText(); err != nil {
		return err
	}
	return w.put(Part{Type: "source-url", SourceID: id, URL: url, Title: title})
}

// Finish ends an answer.
func (w *Writer) Finish() error {
	if err := w.EndText(); err != nil {
		return err
	}
	end := Part{Type: "finish"}
	if w.threadID != "" {
		end.Metadata = &Metadata{ThreadID: w.threadID}
	}
	if err := w.put(end); err != nil {
		return err
	}
	return w.done()
}

// Fail ends an answer that was interrupted; sentence is for the reader.
func (w *Writer) Fail(sentence string) error {
	if err := w.EndText(); err != nil {
		return err
	}
	if err := w.put(Part{Type: "error", ErrorText: sentence}); err != nil {
		return err
	}
	return w.done()
}

// Beat writes a keep-alive, which clients ignore.
func (w *Writer) Beat() error {
	if w.form == DataParts {
		return w.write([]byte("\n")) // empty lines are skipped; there are no comments in this form
	}
	return w.write([]byte(": still here\n\n"))
}

func (w *Writer) done() error {
	if w.form == DataParts {
		return nil // the last part contains it
	}
	return w.write([]byte("data: [DONE]\n\n"))
}

func (w *Writer) put(p Part) error {
	if w.form == DataParts {
		return w.putData(p)
	}
	raw, err := encode(p)
	if err != nil {
		return err
	}
	return w.write(fmt.Appendf(nil, "data: %s\n\n", raw))
}

// encode encodes a value as JSON on one line, without escaping ampersands in links.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("write part: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func (w *Writer) write(text []byte) error {
	if _, err := w.to.Write(text); err != nil {
		return fmt.Errorf("write part: %w", err)
	}
	return nil
}
