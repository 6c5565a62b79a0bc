package forgetest

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"os"
	"path/filepath"
)

// exchanges is the folder to which the fakes write their requests and responses, for tools/check-code-hosts, which
// compares them with the API descriptions that the hosts' vendors publish.
var exchanges = flag.String("exchanges", "", "write the requests to fake code hosts, and the responses, to this `folder`")

// exchange is one line of these files.
type exchange struct {
	Host     string          `json:"host"`
	Method   string          `json:"method"`
	Address  string          `json:"address"` // path and query
	Type     string          `json:"type,omitempty"`
	Request  json.RawMessage `json:"request,omitempty"`
	Status   int             `json:"status"`
	Response json.RawMessage `json:"response,omitempty"`
}

// recorder keeps a copy of a response.
type recorder struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	r.body.Write(b)
	return r.ResponseWriter.Write(b)
}

// recorded wraps a fake's handler so that its exchanges are written if the flag is set.
func (w *world) recorded(next http.HandlerFunc) http.HandlerFunc {
	if *exchanges == "" {
		return next
	}
	out, err := os.CreateTemp(filepath.Clean(*exchanges), w.name+"-*.jsonl")
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if err := out.Close(); err != nil {
			w.t.Error(err)
		}
	})
	return func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		answer := &recorder{ResponseWriter: rw, status: http.StatusOK}
		next(answer, r)
		line := exchange{Host: w.name, Method: r.Method, Address: r.URL.RequestURI(), Type: r.Header.Get("Content-Type"),
			Status: answer.status, Request: jsonOrNil(body), Response: jsonOrNil(answer.body.Bytes())}
		text, err := json.Marshal(line)
		if err == nil {
			_, err = out.Write(append(text, '\n'))
		}
		if err != nil {
			w.t.Error(err)
		}
	}
}

// jsonOrNil returns the text if it is JSON, otherwise nil, because the descriptions have no schemas for other texts.
func jsonOrNil(text []byte) json.RawMessage {
	if !json.Valid(text) {
		return nil
	}
	return text
}
