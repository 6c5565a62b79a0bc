package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Event is one event of a stream.
type Event struct {
	Name string // "" if none
	Data []byte // valid until the next event is read
}

// Reply is a server's response, which can be read once: as events or as JSON.
type Reply struct {
	Kind string // media type, such as text/event-stream
	in   *bufio.Reader
	line []byte
	data []byte
	done bool
}

const maxEvent = 8 << 20 // bytes of one event

func newReply(kind string, body io.Reader) *Reply {
	return &Reply{Kind: kind, in: bufio.NewReaderSize(body, 32<<10)}
}

// Next reads an event. The stream's format:
//
//	stream = [ BOM ] { event } [ event without its empty line ]
//	event  = { line } empty line
//	line   = ( "event" | "data" | other ) [ ":" [ " " ] value ] | ":" comment
//
// A line ends with LF, CR LF, or the end of the stream. Lines of data are joined with LF; events without data, other
// fields and comments are skipped. At the end of the stream the error is io.EOF. Any other error comes from the
// connection, or is a fault that says that the response is too long.
func (r *Reply) Next() (Event, error) {
	var name string
	r.data = r.data[:0]
	some := false
	for {
		line, err := r.readLine()
		if errors.Is(err, io.EOF) && some {
			r.done = true
			return Event{Name: name, Data: r.data}, nil
		}
		if err != nil {
			return Event{}, err
		}
		if len(line) == 0 {
			if some {
				return Event{Name: name, Data: r.data}, nil
			}
			name = ""
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "event":
			name = string(value)
		case "data":
			if some {
				r.data = append(r.data, '\n')
			}
			some = true
			r.data = append(r.data, value...)
		}
		if len(r.data) > maxEvent {
			return Event{}, Invalid("an event has more than %d bytes", maxEvent)
		}
	}
}

// readLine reads a line without its end. The result is valid until the next call.
func (r *Reply) readLine() ([]byte, error) {
	if r.done {
		return nil, io.EOF
	}
	r.line = r.line[:0]
	for {
		part, err := r.in.ReadSlice('\n')
		r.line = append(r.line, part...)
		switch {
		case len(r.line) > maxEvent:
			return nil, Invalid("a line has more than %d bytes", maxEvent)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !(errors.Is(err, io.EOF) && len(r.line) > 0):
			return nil, err
		}
		return bytes.TrimPrefix(bytes.TrimRight(r.line, "\r\n"), []byte("\ufeff")), nil
	}
}

// JSON decodes the whole response into v.
func (r *Reply) JSON(v any) error {
	all, err := io.ReadAll(r.in)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(all, v); err != nil {
		return Invalid("it is not valid JSON: %v", err)
	}
	return nil
}

// Invalid returns the fault for a malformed response. A retry would not help.
func Invalid(format string, args ...any) error {
	return fault.New(fault.Internal, "model_answer_invalid", "The model's server sent an invalid response.").
		WithCause(fmt.Errorf(format, args...))
}

// ErrCut means that a stream ended before the answer was complete.
var ErrCut = errors.New("response ended early")

// bounded limits the length of a response and reports activity.
type bounded struct {
	body  io.Reader
	left  int64
	heard func()
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		// Reading one more byte distinguishes a response of exactly the maximum size from a longer one.
		if n, err := b.body.Read(p[:min(1, len(p))]); n == 0 {
			return 0, err
		}
		return 0, Invalid("it is longer than allowed")
	}
	n, err := b.body.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if n > 0 {
		b.heard()
	}
	return n, err
}
