package aistream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Header and ContentType are what an answer in this form carries.
const (
	Header      = "x-vercel-ai-ui-message-stream"
	Version     = "v1"
	ContentType = "text/event-stream"
)

// Form is how the parts of an answer are written.
type Form int

// The forms.
const (
	UIMessages Form = iota // for AI SDK 5 and later: server-sent events
	DataParts              // for AI SDK 4: lines with a code before each value, see data.go
)

// Part is one event. Which fields it has depends on its type.
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

// Metadata is what chat clients keep beside a message.
type Metadata struct {
	ThreadID string `json:"threadId"`
}

// Thread is the content of our own part data-thread.
type Thread struct {
	ThreadID string `json:"threadId"`
	Mode     string `json:"mode"` // model, or local: passages are quoted
}

// Writer writes an answer. Its methods are called in the order start, texts, sources, finish; it is not safe for
// concurrent use.
type Writer struct {
	to       io.Writer
	form     Form
	text     bool   // a text is open
	texts    int    // how many were opened
	threadID string // "" until started
}

// NewWriter writes to to; each event is one Write.
func NewWriter(to io.Writer, form Form) *Writer { return &Writer{to: to, form: form} }

// Start begins an answer in a conversation.
func (w *Writer) Start(messageID string, t Thread) error {
	w.threadID = t.ThreadID
	if err := w.Begin(messageID); err != nil {
		return err
	}
	return w.put(Part{Type: "data-thread", Data: &t})
}

// Begin begins an answer that belongs to no conversation.
func (w *Writer) Begin(messageID string) error {
	return w.put(Part{Type: "start", MessageID: messageID})
}

// Text adds to the answer's text. An empty piece is ignored.
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

// EndText ends the text that is open, if there is one. What Text writes next is another.
func (w *Writer) EndText() error {
	if !w.text {
		return nil
	}
	w.text = false
	return w.put(Part{Type: "text-end", ID: w.textID()})
}

// Data writes a part of the caller's own: UIMessages only.
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

// Source names what the text calls [id].
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

// Fail ends an answer that did not come to its end; sentence is for the reader.
func (w *Writer) Fail(sentence string) error {
	if err := w.EndText(); err != nil {
		return err
	}
	if err := w.put(Part{Type: "error", ErrorText: sentence}); err != nil {
		return err
	}
	return w.done()
}

// Beat is a sign of life, which readers pass over.
func (w *Writer) Beat() error {
	if w.form == DataParts {
		return w.write([]byte("\n")) // empty lines are skipped; there are no comments in this form
	}
	return w.write([]byte(": still here\n\n"))
}

func (w *Writer) done() error {
	if w.form == DataParts {
		return nil // the last part says it
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

// encode is JSON in one line; links keep their ampersands readable.
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
