package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

// request is sent repeatedly.
type request struct {
	address string // to connect to
	host    string // "" = address
	path    string
	header  []string // lines such as "Accept-Encoding: gzip"
	want    int      // expected status
}

func (q request) bytes() []byte {
	host := q.host
	if host == "" {
		host = q.address
	}
	out := "GET " + q.path + " HTTP/1.1\r\nHost: " + host + "\r\n"
	for _, line := range q.header {
		out += line + "\r\n"
	}
	return []byte(out + "\r\n")
}

// reply contains the parts of a response that the load test checks.
type reply struct {
	status int
	etag   string
	body   int64 // bytes as sent
}

// wire is one persistent connection. It reads responses with as little work as possible, because it runs on the same
// machine as the server that it measures.
type wire struct {
	conn net.Conn
	in   *bufio.Reader
}

func connect(address string) (*wire, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &wire{conn, bufio.NewReaderSize(conn, 64<<10)}, nil
}

// ask sends a request and reads the complete response.
func (w *wire) ask(raw []byte) (reply, error) {
	if _, err := w.conn.Write(raw); err != nil {
		return reply{}, err
	}
	return w.answer()
}

func (w *wire) answer() (out reply, err error) {
	line, err := w.in.ReadSlice('\n')
	if err != nil {
		return out, err
	}
	if len(line) < 12 {
		return out, errors.New("not an HTTP response")
	}
	if out.status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return out, fmt.Errorf("not an HTTP response: %w", err)
	}
	chunked, err := w.headers(&out)
	switch {
	case err != nil || out.status == http.StatusNotModified:
		return out, err
	case chunked:
		return out, w.chunks(&out)
	}
	_, err = w.in.Discard(int(out.body))
	return out, err
}

// headers reads up to the body and reports whether the body is chunked.
func (w *wire) headers(out *reply) (chunked bool, err error) {
	for {
		line, err := w.in.ReadSlice('\n')
		if err != nil {
			return false, err
		}
		if len(line) <= 2 {
			return chunked, nil
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch {
		case len(name) == 4 && bytes.EqualFold(name, []byte("ETag")):
			out.etag = string(bytes.TrimSpace(value))
		case len(name) == 14 && bytes.EqualFold(name, []byte("Content-Length")):
			if out.body, err = strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64); err != nil {
				return false, err
			}
		case len(name) == 17 && bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = true
		}
	}
}

func (w *wire) chunks(out *reply) error {
	for {
		line, err := w.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 64)
		if err != nil {
			return err
		}
		if _, err := w.in.Discard(int(n) + 2); err != nil || n == 0 {
			return err
		}
		out.body += n
	}
}

// once sends a request once.
func once(q request) (reply, error) {
	w, err := connect(q.address)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = w.conn.Close() }()
	return w.ask(q.bytes())
}

// storm repeatedly sends the same request on several connections, all of which are opened before the first request.
// With a pace, each connection sends one request per interval, starting at different times.
func storm(q request, connections int, length, pace time.Duration) (result, error) {
	wires := make([]*wire, connections)
	defer func() {
		for _, w := range wires {
			if w != nil {
				_ = w.conn.Close()
			}
		}
	}()
	for i := range wires {
		var err error
		if wires[i], err = connect(q.address); err != nil {
			return result{}, err
		}
	}
	raw, times, failures := q.bytes(), make([][]time.Duration, connections), make([]error, connections)
	var wg sync.WaitGroup
	begin := time.Now()
	for i, w := range wires {
		wg.Go(func() {
			first := begin.Add(pace * time.Duration(i) / time.Duration(connections))
			times[i], failures[i] = w.repeat(raw, q.want, first, begin.Add(length), pace)
		})
	}
	wg.Wait()
	took := time.Since(begin)
	if err := errors.Join(failures...); err != nil {
		return result{}, err
	}
	all := slices.Concat(times...)
	if len(all) == 0 {
		return result{}, io.ErrUnexpectedEOF
	}
	slices.Sort(all)
	return result{requests: len(all), perSecond: float64(len(all)) / took.Seconds(), p50: all[len(all)/2],
		p99: all[len(all)*99/100]}, nil
}

func (w *wire) repeat(raw []byte, want int, begin, until time.Time, pace time.Duration) (times []time.Duration,
	err error) {
	for next := begin; begin.Before(until); next = next.Add(pace) {
		if pace > 0 {
			time.Sleep(time.Until(next))
			begin = time.Now()
		}
		r, err := w.ask(raw)
		if err != nil {
			return nil, err
		}
		if r.status != want {
			return nil, fmt.Errorf("response status %d, expected %d", r.status, want)
		}
		now := time.Now()
		times = append(times, now.Sub(begin))
		begin = now
	}
	return times, nil
}
