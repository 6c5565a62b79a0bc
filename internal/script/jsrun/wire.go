package jsrun

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// The protocol between an engine and its process, one frame at a time:
//
//	frame    length (4 bytes, big-endian, of what follows) kind (1 byte) text
//	process  ready   once, when it accepts requests                   text: protocol
//	engine   open    a page begins: a new machine, the last is closed  text: opening
//	         call    a job of that page                                text: calling
//	process  answer  what the prelude returned; empty after open
//	         thrown  an exception of the engine                        text: engineError
//	         broken  anything else that went wrong                     text: a sentence
const (
	ready  = 'r'
	open   = 'o'
	call   = 'c'
	answer = 'a'
	thrown = 't'
	broken = 'b'
)

// protocol is the version of the frame format. A different version means that an upgrade replaced the executable while
// the server was running.
const protocol = "lectern scripts 1"

const (
	maxRequest = 256 << 20 // bytes; far more than jsbuild generates from 500 files of 1 MB
	maxWords   = 16 << 10  // bytes of an error message
)

// opening is the request to start a page.
type opening struct {
	Seed   string
	Now    int64 // milliseconds since 1970
	Memory int64
	Stack  int
	Output int
}

// calling is the request to run a job, with its remaining time.
type calling struct {
	Unit      string
	Code      []byte // nil when the machine has loaded the unit
	Thunk     int
	Variables string
	Slots     int
	Left      int64 // nanoseconds
}

var errFrame = errors.New("malformed frame")

func writeFrame(w io.Writer, kind byte, text []byte) error {
	head := make([]byte, 5, 5+len(text))
	binary.BigEndian.PutUint32(head, uint32(len(text)+1))
	head[4] = kind
	if _, err := w.Write(append(head, text...)); err != nil {
		return fmt.Errorf("write frame: %w", err)
	}
	return nil
}

func writeJSON(w io.Writer, kind byte, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode frame: %w", err)
	}
	return writeFrame(w, kind, text)
}

// readFrame reads a frame of at most limit bytes of text. It returns an error without reading the text of a longer
// frame.
func readFrame(r io.Reader, limit int) (kind byte, text []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, fmt.Errorf("read frame: %w", err)
	}
	n := int64(binary.BigEndian.Uint32(head[:])) - 1
	if n < 0 || n > int64(limit) {
		return 0, nil, errFrame
	}
	text = make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return 0, nil, fmt.Errorf("read frame: %w", err)
	}
	return head[4], text, nil
}
