package e2e

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// slowClients opens connections that send part of a request and then nothing.
func slowClients(t *testing.T, address, part string, n int) (conns []net.Conn) {
	t.Helper()
	for range n {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		if _, err := io.WriteString(c, part); err != nil {
			t.Fatal(err)
		}
		conns = append(conns, c)
	}
	return conns
}

// wantEnded fails the test unless the server closes each connection, with or without a response. It sends nothing while
// it waits.
func wantEnded(t *testing.T, what string, conns []net.Conn) {
	t.Helper()
	for i, c := range conns {
		if err := c.SetReadDeadline(time.Now().Add(2 * patience)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, c); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("%s %d is still open", what, i)
		}
	}
}

// A12: clients that send their headers or body slowly, or never read the response, do not delay responses to others,
// and the server closes their connections.
func TestSlowClientsDoNotDelayOthers(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data, nil, "--rate-limit", "0", "--first-site", "off")
	key := command(t, nil, "keys", "create", "--data", data)
	address := strings.TrimPrefix(p.url, "http://")
	headers := slowClients(t, address, "GET /healthz HTTP/1.1\r\nHost: "+address+"\r\nX-Slow: ", 200)
	bodies := slowClients(t, address,
		fmt.Sprintf(
			"POST /v1/static-export/jobs HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", address, key), 100)
	readers := slowClients(t, address, strings.Repeat("GET /openapi.json HTTP/1.1\r\nHost: "+address+"\r\n\r\n", 50),
		20)
	for range 50 {
		if got := status(p.url + "/readyz"); got != http.StatusOK {
			t.Fatalf("with %d slow clients, the server returns %d", len(headers)+len(bodies)+len(readers), got)
		}
	}
	wantEnded(t, "slow headers", headers)
	wantEnded(t, "slow body", bodies)
	if got := status(p.url + "/readyz"); got != http.StatusOK {
		t.Fatalf("afterwards, the server returns %d", got)
	}
	p.Stop() // although readers have not read their responses
}

// A2, A3: a request that the HTTP library refuses gets an error in the usual format with an id that is in the server's
// log. The log also contains ids that callers send, and every kind of response has an id.
func TestEveryKindOfResponseHasRequestID(t *testing.T) {
	t.Parallel()
	p := serve(t, t.TempDir(), nil, "--first-site", "off")
	publishFolder(t, p.client(command(t, nil, "keys", "create", "--data", p.data)), site(t, 1), "ids.localhost")
	address := strings.TrimPrefix(p.url, "http://")
	for what, request := range map[string]string{
		"malformed": "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", "no host": "GET / HTTP/1.1\r\n\r\n",
		"large": "GET / HTTP/1.1\r\nHost: x\r\nA: " + strings.Repeat("x", 200<<10) + "\r\n\r\n",
	} {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.WriteString(c, request) }() // the server may stop reading
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		var body struct{ Error, Code, RequestID string }
		err = json.NewDecoder(r.Body).Decode(&body)
		_ = c.Close()
		if err != nil || r.StatusCode < 400 || body.Error == "" || body.Code == "" || body.RequestID == "" ||
			body.RequestID != r.Header.Get("X-Request-Id") {
			t.Errorf("%s: %d %+v %v", what, r.StatusCode, body, err)
		}
		p.Await("the id "+body.RequestID+" in the log",
			func() bool { return strings.Contains(p.Output(), body.RequestID) })
	}
	for i, c := range []struct {
		path, host string
		logged     bool
	}{
		{"/v1/projects", "", true}, {"/nowhere", "", true}, {"/openapi.json", "", true}, {"/blob/x", "", false},
		{"/dashboard", "", false},
		{"/", "ids.localhost", false}, {"/none", "ids.localhost", false}, {"/", "nobody.localhost", false},
	} {
		name := fmt.Sprintf("caller-chose-%d", i)
		r, err := http.NewRequest(http.MethodGet, p.url+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = c.host
		r.Header.Set("X-Request-Id", name)
		res, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if got := res.Header.Get("X-Request-Id"); got != name {
			t.Errorf("%s%s: id %q, want %q", c.host, c.path, got, name)
		}
		if c.logged {
			p.Await("the id "+name+" in the log", func() bool { return strings.Contains(p.Output(), name) })
		}
	}
}
