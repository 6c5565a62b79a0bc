package shell

import (
	"bytes"
	"io"
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/serve/auth"
)

// connect makes a client of the admin API that calls it in this process, with the rights of the person behind the
// visit.
func (b *Board) connect(v *Visit) (*client.Client, error) {
	return client.New(b.Base(v.R), "",
		client.WithHTTPClient(&http.Client{Transport: &wire{api: b.API, from: v.R, caller: b.SignIn.Caller(v.Visit)}}),
		client.WithUserAgent("lectern-dashboard"))
}

// wire carries a client's requests to the API's handler without a network.
type wire struct {
	api    http.Handler
	from   *http.Request // what the person's browser sent
	caller auth.Caller
}

// RoundTrip answers one request. Answers are kept in memory whole: those that could be long have pages, and streams
// have their own way.
func (t *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	call := t.adopt(r)
	answer := &caught{header: http.Header{}, status: http.StatusOK}
	t.api.ServeHTTP(answer, call)
	return &http.Response{StatusCode: answer.status, Status: http.StatusText(answer.status), Proto: "HTTP/1.1",
			ProtoMajor: 1, ProtoMinor: 1,
			Header: answer.header, Body: io.NopCloser(&answer.body), ContentLength: int64(answer.body.Len()),
			Request: r},
		nil
}

// adopt makes the client's request look as if the person's browser had sent it: same address and host, so that links
// lead back to where the person is; and it carries the person's rights, which nothing on a wire can.
func (t *wire) adopt(r *http.Request) *http.Request {
	call := r.Clone(auth.WithCaller(r.Context(), t.caller))
	if call.Body == nil {
		call.Body = http.NoBody
	}
	call.Host, call.RemoteAddr, call.TLS, call.RequestURI = t.from.Host, t.from.RemoteAddr, t.from.TLS,
		r.URL.RequestURI()
	for _, name := range []string{"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host"} {
		if values := t.from.Header[name]; values != nil {
			call.Header[name] = values
		}
	}
	call.Header.Del("Authorization")
	return call
}

// caught keeps an answer of the API.
type caught struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (c *caught) Header() http.Header         { return c.header }
func (c *caught) WriteHeader(status int)      { c.status = status }
func (c *caught) Write(p []byte) (int, error) { return c.body.Write(p) }

// Pass hands an answer of the API through as it is, for downloads and streams.
func (v *Visit) Pass(method, path string) {
	call, err := http.NewRequestWithContext(v.Ctx(), method, path, http.NoBody)
	if err != nil {
		v.fail(err)
		return
	}
	call = (&wire{from: v.R, caller: v.B.SignIn.Caller(v.Visit)}).adopt(call)
	v.B.API.ServeHTTP(v.W, call)
}
