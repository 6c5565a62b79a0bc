// Package inprocess lets parts of the server call the admin API as clients do, without a network.
//
// Inputs: a request that somebody sent to this server; the requests of a client.
// Outputs: the API's responses, kept in memory whole: those that could be long have pages.
// It gives a request no rights: who calls is what the caller of this package puts into it.
package inprocess

import (
	"bytes"
	"io"
	"net/http"
)

// Transport carries the requests of a client to a handler. It is safe for concurrent use if Adopt is.
type Transport struct {
	Handler http.Handler
	Adopt   func(*http.Request) *http.Request // returns a request with what says who calls
}

// RoundTrip answers one request.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	status, header, body := Serve(t.Handler, t.Adopt(r))
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1",
		ProtoMajor: 1, ProtoMinor: 1, Header: header, Body: io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)), Request: r}, nil
}

// Serve lets a handler answer a request, and returns the whole response.
func Serve(h http.Handler, r *http.Request) (status int, header http.Header, body []byte) {
	answer := &caught{header: http.Header{}, status: http.StatusOK}
	h.ServeHTTP(answer, r)
	return answer.status, answer.header, answer.body.Bytes()
}

// Forward makes a client's request look as if it had come with from: same address and host, so that links lead back to
// where the sender is. It has none of the rights of from.
func Forward(r, from *http.Request) *http.Request {
	call := r.Clone(r.Context())
	if call.Body == nil {
		call.Body = http.NoBody
	}
	call.Host, call.RemoteAddr, call.TLS, call.RequestURI = from.Host, from.RemoteAddr, from.TLS, r.URL.RequestURI()
	for _, name := range []string{"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host"} {
		if values := from.Header[name]; values != nil {
			call.Header[name] = values
		}
	}
	call.Header.Del("Authorization")
	return call
}

// caught keeps a response.
type caught struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (c *caught) Header() http.Header         { return c.header }
func (c *caught) WriteHeader(status int)      { c.status = status }
func (c *caught) Write(p []byte) (int, error) { return c.body.Write(p) }
