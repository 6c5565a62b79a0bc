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
}

// Thread is what our own part data-thread tells.
type Thread struct {
	ThreadID string `json:"threadId"`
	Mode     string `json:"mode"` // model, or local: passages are quoted
}

const textID = "t1" // an answer has one text

// Writer writes an answer. Its methods are called in the order start, texts, sources, finish; it is not safe for concurrent use.
type Writer struct {
	to   io.Writer
	text bool // a text is open
}

// NewWriter writes to to; each event is one Write.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to} }

// Start begins an answer.
func (w *Writer) Start(messageID string, t Thread) error {
	if err := w.put(Part{Type: "start", MessageID: messageID}); err != nil {
		return err
	}
	return w.put(Part{Type: "data-thread", Data: &t})
}

// Text adds to the answer's text. An empty piece is none.
func (w *Writer) Text(piece string) error {
	if piece == "" {
		return nil
	}
	if !w.text {
		w.text = true
		if err := w.put(Part{Type: "text-start", ID: textID}); err != nil {
			return err
		}
	}
	return w.put(Part{Type: "text-delta", ID: textID, Delta: piece})
}

func (w *Writer) endText() error {
	if !w.text {
		return nil
	}
	w.text = false
	return w.put(Part{Type: "text-end", ID: textID})
}

// Source names what the text calls [id].
func (w *Writer) Source(id, url, title string) error {
	if err := w.endText(); err != nil {
		return err
	}
	return w.put(Part{Type: "source-url", SourceID: id, URL: url, Title: title})
}

// Finish ends an answer.
func (w *Writer) Finish() error {
	if err := w.endText(); err != nil {
		return err
	}
	if err := w.put(Part{Type: "finish"}); err != nil {
		return err
	}
	return w.done()
}

// Fail ends an answer that did not come to its end; sentence is for the reader.
func (w *Writer) Fail(sentence string) error {
	if err := w.endText(); err != nil {
		return err
	}
	if err := w.put(Part{Type: "error", ErrorText: sentence}); err != nil {
		return err
	}
	return w.done()
}

// Beat is a sign of life, which readers pass over.
func (w *Writer) Beat() error { return w.write([]byte(": still here\n\n")) }

func (w *Writer) done() error { return w.write([]byte("data: [DONE]\n\n")) }

func (w *Writer) put(p Part) error {
	var b bytes.Buffer
	b.WriteString("data: ")
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(p); err != nil {
		return fmt.Errorf("write part: %w", err)
	}
	b.WriteByte('\n') // Encode has written the first
	return w.write(b.Bytes())
}

func (w *Writer) write(text []byte) error {
	if _, err := w.to.Write(text); err != nil {
		return fmt.Errorf("write part: %w", err)
	}
	return nil
}
