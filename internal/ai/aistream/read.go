package aistream

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Message is the result of reading a stream to its end.
type Message struct {
	MessageID string
	Thread    Thread
	Text      string
	Sources   []Part
	Error     string // "" = it finished normally
	Deltas    int    // number of pieces of the text
}

var errOrder = errors.New("part is not allowed at this position")

// ReadAll reads a whole stream and rejects what a chat client would not accept: parts out of order, unknown fields,
// an unclosed text, anything after the end, a missing end.
func ReadAll(r io.Reader) (Message, error) {
	var a Message
	s := reader{message: &a}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if err := s.line(lines.Bytes()); err != nil {
			return a, fmt.Errorf("read %q: %w", lines.Bytes(), err)
		}
	}
	if err := lines.Err(); err != nil {
		return a, fmt.Errorf("read stream: %w", err)
	}
	if !s.done {
		return a, errors.New("read stream: missing [DONE]")
	}
	return a, nil
}

type reader struct {
	message *Message
	begun   bool
	open    string // id of the open text
	ended   bool   // finish or error was read
	done    bool
}

func (s *reader) line(line []byte) error {
	if len(line) == 0 || line[0] == ':' {
		return nil
	}
	data, ok := bytes.CutPrefix(line, []byte("data: "))
	switch {
	case !ok:
		return errors.New("not an event of this format")
	case s.done:
		return errOrder
	case string(data) == "[DONE]":
		s.done = s.ended
		if !s.ended {
			return errOrder
		}
		return nil
	}
	var p Part
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return err
	}
	return s.part(p)
}

func (s *reader) part(p Part) error {
	a, ok := s.message, false
	switch p.Type {
	case "start":
		ok = !s.begun && p.MessageID != ""
		s.begun, a.MessageID = true, p.MessageID
	case "data-thread":
		ok = s.begun && p.Data != nil && p.Data.ThreadID != "" && s.open == ""
		if ok {
			a.Thread = *p.Data
		}
	case "text-start":
		ok = s.begun && s.open == "" && p.ID != ""
		s.open = p.ID
	case "text-delta":
		ok = s.open != "" && p.ID == s.open
		a.Text += p.Delta
		a.Deltas++
	case "text-end":
		ok = s.open != "" && p.ID == s.open
		s.open = ""
	case "source-url":
		ok = s.begun && s.open == "" && p.SourceID != "" && p.URL != ""
		a.Sources = append(a.Sources, p)
	case "finish":
		ok = s.begun && s.open == ""
		s.ended = ok
		return orOrder(ok)
	case "error":
		ok = s.begun && s.open == "" && p.ErrorText != ""
		s.ended, a.Error = ok, p.ErrorText
		return orOrder(ok)
	}
	return orOrder(ok && !s.ended)
}

func orOrder(ok bool) error {
	if !ok {
		return errOrder
	}
	return nil
}
