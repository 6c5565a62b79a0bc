package apiproxy_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/serve/apiproxy"
)

const canary = "canary4711"

// rude fails in every way in which an API can fail, with the canary in its responses.
func rude(w http.ResponseWriter, r *http.Request) {
	kind, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch kind {
	case "silent":
		_, _ = io.Copy(io.Discard, r.Body) // a handler with an unread body does not notice that the client disconnected
		<-r.Context().Done()
		return
	case "lie":
		w.Header().Set("Content-Encoding", "gzip")
		fmt.Fprint(w, canary)
		return
	case "moved":
		w.Header().Set("Location", "http://[bad/%zz?"+canary)
		w.WriteHeader(http.StatusFound)
		return
	case "fine":
		fmt.Fprint(w, canary)
		return
	}
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	defer func() { _ = conn.Close() }()
	switch kind {
	case "garbage":
		fmt.Fprintf(conn, "%s\r\n\r\n", canary)
	case "status":
		fmt.Fprintf(conn, "HTTP/1.1 %s x\r\n\r\n", canary)
	case "header":
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\n%s\r\n\r\n", canary)
	case "chunk":
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%s\r\n", canary)
	case "trailer":
		fmt.Fprintf(conn,
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n1\r\na\r\n0\r\n%s\r\n\r\n", canary)
	case "short":
		fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n"+canary)
	}
}

// K9: whatever a request's outcome, the log contains nothing from its path, query, headers and body, nor from the
// response.
func TestLogContainsNoSecrets(t *testing.T) {
	target := serveAt(t, "127.0.0.2:0", rude)
	away := serveAt(t, "127.0.0.2:0", rude)
	away.Close()
	secure := httptest.NewTLSServer(http.HandlerFunc(rude))
	defer secure.Close()
	const query = "/" + canary + "?api_key=" + canary
	calls := map[string]string{
		"no server": away.URL + query, "an inner address": "http://10.0.0.1" + query,
		"no such name": "http://unknown.test" + query, "no address": target.URL + "/%zz" + query,
		"a user":           "http://" + canary + "@127.0.0.2" + query,
		"a foreign origin": "http://elsewhere.test" + query, "an unknown certificate": secure.URL + query,
		"TLS where there is none": "https://" + target.Listener.Addr().String() + query,
	}
	for _, kind := range []string{"silent", "lie", "moved", "fine", "garbage", "status", "header", "chunk", "trailer",
		"short"} {
		calls[kind] = target.URL + "/" + kind + query
	}
	g := open(t, apiproxy.Options{Guard: guarded(t, zone), Origins: []string{secure.URL},
		Limits: apiproxy.Limits{Time: 300 * time.Millisecond}},
		target.URL, away.URL, "http://10.0.0.1", "http://unknown.test", "https://"+target.Listener.Addr().String())
	for name, to := range calls {
		g.send(call{target: to, method: "POST", headers: [][2]string{{"Authorization", "Bearer " + canary}},
			body: []byte(canary)})
		g.send(call{target: to, headers: [][2]string{{"X-" + canary + " ", canary}},
			body: bytes.Repeat([]byte(canary), 3)})
		if text := g.logged(); strings.Contains(text, canary) {
			t.Fatalf("%s: %s", name, text)
		}
	}
	if n := strings.Count(g.logged(), "playground request"); n != 2*len(calls) ||
		strings.Count(g.logged(), "error=") < len(calls) {
		t.Errorf("%d lines for %d requests: %s", n, 2*len(calls), g.logged())
	}
}

// A redirect to an invalid URL is returned like any other.
func TestInvalidRedirectIsReturned(t *testing.T) {
	target := serveAt(t, "127.0.0.2:0", rude)
	g := open(t, apiproxy.Options{}, target.URL)
	if got := g.send(call{target: target.URL + "/moved"}); got.Header.Get("Lectern-Status") != "302" ||
		!strings.HasPrefix(got.header("Location"), "http://[bad/%zz") {
		t.Errorf("%d %v %s", got.StatusCode, got.headers, got.body)
	}
}

// An unknown name and one with an internal address get the same response; otherwise visitors could probe for internal
// names.
func TestVisitorsCannotResolveInternalNames(t *testing.T) {
	g := open(t, apiproxy.Options{Guard: guarded(t, zone)}, "http://inner.test", "http://unknown.test")
	inner, unknown := g.send(call{target: "http://inner.test/"}), g.send(call{target: "http://unknown.test/"})
	if inner.StatusCode != http.StatusForbidden || inner.StatusCode != unknown.StatusCode ||
		!bytes.Equal(inner.body, unknown.body) {
		t.Errorf("%d %s\n%d %s", inner.StatusCode, inner.body, unknown.StatusCode, unknown.body)
	}
}
