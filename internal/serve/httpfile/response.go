package httpfile

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/internal/serve/apierror"
)

// Response contains a file's headers, for status 200. It is immutable and safe for concurrent use.
type Response struct {
	lines   []line
	etag    string // "" = none
	length  []string
	size    int64
	encoded bool // Content-Encoding is set, so ranges would apply to the compressed form
	weight  int64
}

// line is a header. Its values have no spare capacity, so appending to them in a response copies them.
type line struct {
	name   string // canonical
	values []string
	body   bool // describes the body, so a 304 omits it
}

// lineWeight is the approximate size of a line without its text, in bytes.
const lineWeight = 80

// New stores the headers of a file whose body has size bytes.
func New(h http.Header, size int64) *Response {
	a := &Response{size: size, length: []string{strconv.FormatInt(size, 10)}, etag: h.Get("ETag"),
		encoded: h.Get("Content-Encoding") != ""}
	for name, values := range h {
		if name == apierror.Header { // each response has its own
			continue
		}
		kept := make([]string, len(values))
		copy(kept, values)
		a.lines = append(a.lines, line{name, kept, name == "Content-Type" || name == "Content-Encoding"})
		a.weight += lineWeight + int64(len(name))
		for _, v := range values {
			a.weight += int64(len(v))
		}
	}
	return a
}

// Untouched reports whether a response has no headers yet except the request id. Headers set by other handlers must
// not be cached.
func Untouched(h http.Header) bool {
	return len(h) == 0 || len(h) == 1 && h[apierror.Header] != nil
}

// Weight returns the approximate memory use in bytes.
func (a *Response) Weight() int64 { return a.weight }

// Bytes sends the file from memory.
func (a *Response) Bytes(w http.ResponseWriter, r *http.Request, data []byte) {
	switch a.begin(w, r) {
	case unusual:
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	case wanted:
		_, _ = w.Write(data) // fails only if the client has disconnected
	}
}

// Stream sends the file from content, which must be at its start. If content is an *os.File, the operating system can
// send it without copying.
func (a *Response) Stream(w http.ResponseWriter, r *http.Request, content io.ReadSeeker) {
	switch a.begin(w, r) {
	case unusual:
		http.ServeContent(w, r, "", time.Time{}, content)
	case wanted:
		_, _ = io.CopyN(w, content, a.size) // fails only if the client has disconnected
	}
}

type course int

const (
	unusual course = iota // has conditions or ranges, which are left to the standard library
	done                  // the response is complete
	wanted                // the body follows
)

// begin sends the headers of an ordinary request.
func (a *Response) begin(w http.ResponseWriter, r *http.Request) course {
	h := w.Header()
	if a.encoded {
		r.Header.Del("Range")
	}
	known := r.Header["If-None-Match"]
	if rare(r.Header) || len(known) > 1 || len(known) == 1 && (a.etag == "" || known[0] != a.etag) {
		for _, l := range a.lines {
			h[l.name] = l.values
		}
		return unusual
	}
	if len(known) == 1 {
		for _, l := range a.lines {
			if !l.body {
				h[l.name] = l.values
			}
		}
		w.WriteHeader(http.StatusNotModified)
		return done
	}
	for _, l := range a.lines {
		h[l.name] = l.values
	}
	h["Content-Length"] = a.length
	if !a.encoded {
		h["Accept-Ranges"] = acceptRanges
	}
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return done
	}
	return wanted
}

var acceptRanges = []string{"bytes"}

// rare reports whether a request has headers that few clients send.
func rare(h http.Header) bool {
	return h["Range"] != nil || h["If-Match"] != nil || h["If-Unmodified-Since"] != nil || h["If-Range"] != nil
}
