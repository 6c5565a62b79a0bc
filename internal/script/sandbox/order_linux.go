package sandbox

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// File descriptors that a stage inherits in addition to the standard ones.
const (
	orderFile  = 3 // the order is read here
	reportFile = 4 // the report is written here
	proxyFile  = 5 // a socket on which the first stage sends the proxy's listener
)

// order is the input of a stage. It is sent through a pipe, so that arguments and variables do not appear in the
// process list.
type order struct {
	Exe      string   // path of this executable
	Args     []string // the arguments that make it call Enter
	Words    []string
	Dir      string
	Env      []string
	Readable []string
	Network  bool
	Proxy    bool // the stage must create a listener for a proxy
	Limits   Limits
	Probe    bool // stop at the point where the program would be started
	Root     bool // started by root, without a user namespace
}

// report is the result of a stage. An empty report means success.
type report struct {
	Stage    string `json:",omitempty"` // the step that failed
	Error    string `json:",omitempty"`
	Missing  bool   `json:",omitempty"` // the program does not exist
	Exit     int    `json:",omitempty"`
	Exceeded string `json:",omitempty"`
	Ended    bool   `json:",omitempty"` // the program ran and has exited
}

func failed(stage string, err error) report { return report{Stage: stage, Error: err.Error()} }

const maxMessage = 4 << 20 // bytes of an order or a report

func readMessage(r io.Reader, v any) error {
	b, err := io.ReadAll(io.LimitReader(r, maxMessage))
	if err != nil {
		return fmt.Errorf("read message: %w", err)
	}
	if len(b) == 0 {
		return io.EOF
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("read message: %w", err)
	}
	return nil
}

func writeMessage(w io.WriteCloser, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	return w.Close()
}

// link is the pair of pipes to a stage, with our ends and the stage's ends.
type link struct {
	order, report *os.File // our ends: we write orders and read reports
	theirs        []*os.File
}

func newLink() (*link, error) {
	orderRead, orderWrite, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("create pipe: %w", err)
	}
	reportRead, reportWrite, err := os.Pipe()
	if err != nil {
		_, _ = orderRead.Close(), orderWrite.Close()
		return nil, fmt.Errorf("create pipe: %w", err)
	}
	return &link{order: orderWrite, report: reportRead, theirs: []*os.File{orderRead, reportWrite}}, nil
}

// started closes our copies of the stage's ends. Otherwise, the pipes would never reach end of file.
func (l *link) started() {
	for _, f := range l.theirs {
		_ = f.Close()
	}
}

func (l *link) close() {
	l.started()
	_, _ = l.order.Close(), l.report.Close()
}

// Enter runs a stage of a sandbox in a process that was started for it. It returns the exit code of the process, or
// does not return.
func Enter(stage string) int {
	in, out := os.NewFile(orderFile, "order"), os.NewFile(reportFile, "report")
	var o order
	if in == nil || out == nil || readMessage(in, &o) != nil {
		fmt.Fprintln(os.Stderr, "This command is for Lectern's own use.")
		return 2
	}
	_ = in.Close()
	var got report
	switch stage {
	case "enter":
		got = enter(o)
	case "begin":
		got = begin(o)
	default:
		return 2
	}
	if err := writeMessage(out, got); err != nil {
		return 1
	}
	return 0
}
