package httpfile

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/internal/serve/apierror"
)

// Response is a file's headers, for status 200. It never changes, and is safe for concurrent use.
type Response struct {
	lines   []line
	etag    string // "" = none
	length  []string
	size    int64
	encoded bool // Content-Encoding is set: ranges would be those of the packed form
	weight  int64
}

// line is a header. Its values have no spare capacity, so that appending in a response copies them.
type line struct {
	name   string // canonical
	values []string
	body   bool // describes the body, which a 304 does not have
}

// lineWeight is about what a line takes beside its text, in bytes.
const lineWeight = 80

// New keeps headers for a file that has size bytes as it is sent.
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

// Untouched reports whether a response has no headers yet but the id of its request. Headers that other handlers have set
// must not be kept with ours.
func Untouched(h http.Header) bool {
	return len(h) == 0 || len(h) == 1 && h[apierror.Header] != nil
}

// Weight is about what the answer takes in memory, in bytes.
func (a *Response) Weight() int64 { return a.weight }

// Bytes sends the file from memory.
func (a *Response) Bytes(w http.ResponseWriter, r *http.Request, data []byte) {
	switch a.begin(w, r) {
	case unusual:
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	case wanted:
		_, _ = w.Write(data) // the reader has gone
	}
}

// Stream sends the file from where it lies, at its start. content is an *os.File if it can be: the system then sends it
// by itself.
func (a *Response) Stream(w http.ResponseWriter, r *http.Request, content io.ReadSeeker) {
	switch a.begin(w, r) {
	case unusual:
		http.ServeContent(w, r, "", time.Time{}, content)
	case wanted:
		_, _ = io.CopyN(w, content, a.size) // the reader has gone
	}
}

type course int

const (
	unusual course = iota // with conditions and ranges that the standard library knows better
	done                  // the answer is complete
	wanted                // the body follows
)

// begin sends the headers of usual requests.
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

// rare reports headers that few readers send.
func rare(h http.Header) bool {
	return h["Range"] != nil || h["If-Match"] != nil || h["If-Unmodified-Since"] != nil || h["If-Range"] != nil
}
