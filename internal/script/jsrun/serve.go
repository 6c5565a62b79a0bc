package jsrun

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// Serve runs in the processes that Host.Start starts. It runs the code of one page after another. It returns when in
// ends, even while code is running. The caller drops its privileges before the call, and exits after it.
func Serve(in io.Reader, out io.Writer) error {
	s := &server{out: out, maker: newMaker(Limits{}, time.Time{})}
	if _, err := prelude(); err != nil {
		return err
	}
	if err := writeFrame(out, ready, []byte(protocol)); err != nil {
		return err
	}
	requests, ended := make(chan request), make(chan error, 1)
	go func() { ended <- read(bufio.NewReader(in), requests) }()
	go func() { ended <- s.work(requests) }()
	if err := <-ended; !errors.Is(err, io.EOF) {
		return fmt.Errorf("serve scripts: %w", err)
	}
	return nil
}

type request struct {
	kind byte
	text []byte
}

func read(in io.Reader, to chan<- request) error {
	for {
		kind, text, err := readFrame(in, maxRequest)
		if err != nil {
			return err
		}
		to <- request{kind, text}
	}
}

// server holds the state of the page that a process is running.
type server struct {
	maker
	out  io.Writer
	seed string
	m    *machine // nil before the first job of a page, and after a failure
}

func (s *server) work(requests <-chan request) error {
	for r := range requests {
		var err error
		switch r.kind {
		case open:
			err = s.open(r.text)
		case call:
			err = s.call(r.text)
		default:
			err = errFrame
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *server) open(text []byte) error {
	var o opening
	if err := json.Unmarshal(text, &o); err != nil {
		return errors.Join(errFrame, err)
	}
	if s.m != nil {
		s.m.close()
		s.m = nil
	}
	s.seed, s.now = o.Seed, time.UnixMilli(o.Now)
	s.limits = Limits{Memory: o.Memory, Stack: o.Stack, Output: o.Output}
	m, err := s.maker.open(s.seed)
	if err != nil {
		return s.refuse(err)
	}
	s.m = m
	return writeFrame(s.out, answer, nil)
}

func (s *server) call(text []byte) error {
	var c calling
	if err := json.Unmarshal(text, &c); err != nil {
		return errors.Join(errFrame, err)
	}
	if s.m == nil {
		return s.refuse(errors.New("no page is open"))
	}
	j := job{unit: Unit{ID: c.Unit, Code: c.Code}, thunk: c.Thunk, variables: c.Variables, slots: c.Slots}
	got := s.attempt(s.m, s.seed, j, time.Duration(c.Left))
	if s.m = got.m; got.err != nil {
		return s.refuse(got.err)
	}
	return writeFrame(s.out, answer, []byte(got.answer))
}

// refuse replies with an error.
func (s *server) refuse(err error) error {
	var js *engineError
	if errors.As(err, &js) {
		return writeJSON(s.out, thrown, engineError{excerpt(js.Name, 100), excerpt(js.Message, 1000)})
	}
	return writeFrame(s.out, broken, []byte(excerpt(err.Error(), 1000)))
}
