// Package inprocess lets parts of the server call the admin API like clients, without a network.
//
// Inputs: a request sent to this server; a client's requests. Outputs: the API's responses, buffered in memory, which
// is possible because long lists are paged. It grants a request no permissions: the caller of this package sets the
// identity.
package inprocess

import (
	"bytes"
	"io"
	"net/http"
)

// Transport passes a client's requests to a handler. It is safe for concurrent use if Adopt is.
type Transport struct {
	Handler http.Handler
	Adopt   func(*http.Request) *http.Request // returns the request with the caller's identity
}

// RoundTrip implements http.RoundTripper.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	status, header, body := Serve(t.Handler, t.Adopt(r))
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1",
		ProtoMajor: 1, ProtoMinor: 1, Header: header, Body: io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)), Request: r}, nil
}

// Serve calls a handler and returns the complete response.
func Serve(h http.Handler, r *http.Request) (status int, header http.Header, body []byte) {
	answer := &caught{header: http.Header{}, status: http.StatusOK}
	h.ServeHTTP(answer, r)
	return answer.status, answer.header, answer.body.Bytes()
}

// Forward gives a client's request the address and host of from, so that links in the response match the host used by
// the original sender. It does not copy any permissions.
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

// caught buffers a response.
type caught struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (c *caught) Header() http.Header         { return c.header }
func (c *caught) WriteHeader(status int)      { c.status = status }
func (c *caught) Write(p []byte) (int, error) { return c.body.Write(p) }
