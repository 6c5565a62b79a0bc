package apiproxy_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/apiproxy"
)

// echo responds with a description of the request it received.
func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Header().Add("Set-Cookie", "session=stolen")
	w.Header().Add("X-Two", "a")
	w.Header().Add("X-Two", "b")
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(http.StatusTeapot)
	fmt.Fprintf(w, "<script>alert(1)</script>%s %s host=%s length=%d body=%s\n", r.Method, r.URL.RequestURI(), r.Host,
		r.ContentLength, body)
	_ = r.Header.Write(w)
}

// F5: the API gets what the page wrote for it and nothing from the visitor's own request; the response cannot act as
// a page of the site.
func TestRequestIsForwardedUnchanged(t *testing.T) {
	target := serveAt(t, "127.0.0.2:0", echo)
	g := open(t, apiproxy.Options{}, target.URL)
	got := g.send(call{target: target.URL + "/v1/pets%2Fcats?q=a%20b&x=1#part", method: "patch", body: []byte("{}"),
		headers: [][2]string{{"content-type", "application/json"}, {"Cookie", "api=typed"},
			{"Authorization", "Bearer typed"}, {"X-Multi", "1"}, {"X-Multi", "2"},
			{"Host", "evil.example"}, {"Origin", "https://evil.example"}, {"Referer", "https://evil.example"},
			{"Connection", "X-Multi"}, {"Transfer-Encoding", "chunked"}, {"Content-Length", "999"},
			{"X-Forwarded-For", "10.0.0.1"}, {"X-Forwarded-Anything", "x"}, {"Forwarded", "for=10.0.0.1"}, {"Via", "x"},
			{"Proxy-Authorization", "x"}, {"Upgrade", "websocket"}, {"TE", "trailers"},
			{"Sec-Fetch-Site", "none"}, {"Lectern-Target", "x"}, {"Accept-Encoding", "br"}, {"Expect", "100-continue"}},
		outer: http.Header{"Cookie": {"lectern_session=secret"}, "Authorization": {"Basic c2VjcmV0"},
			"X-Forwarded-For": {"192.0.2.7"}, "Referer": {g.site.URL + "/page"}, "User-Agent": {"Browser/1"},
			"Traceparent": {"00-1"}}})
	if got.StatusCode != http.StatusOK || got.Header.Get("Lectern-Status") != "418" ||
		got.Header.Get("Lectern-Time") == "" {
		t.Fatalf("%d %v %s", got.StatusCode, got.Header, got.body)
	}
	body := string(got.body)
	for _, want := range []string{"PATCH /v1/pets%2Fcats?q=a%20b&x=1 host=" + target.Listener.Addr().
		String() + " length=2 body={}", "Content-Type: application/json", "Cookie: api=typed\r\n",
		"Authorization: Bearer typed\r\n",
		"X-Multi: 1", "X-Multi: 2", "Accept-Encoding: identity", "User-Agent: lectern-playground"} {
		if !strings.Contains(body, want) {
			t.Errorf("the API did not get %q:\n%s", want, body)
		}
	}
	for _, not := range []string{"secret", "192.0.2.7", "10.0.0.1", "evil", "Origin", "Referer", "Forwarded", "Via",
		"Proxy-", "Upgrade", "Te:", "Sec-", "Lectern-", "Browser/1", "Expect", "Traceparent", "999"} {
		if strings.Contains(body, not) {
			t.Errorf("the API got %q:\n%s", not, body)
		}
	}
	for name, want := range map[string]string{"Content-Type": "application/octet-stream",
		"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox",
		"Cache-Control": "no-store", "Set-Cookie": "",
		"Content-Disposition": "attachment", "X-Two": "", "Lectern-Limit": "20971520"} {
		if v := strings.Join(got.Header.Values(name), "|"); v != want {
			t.Errorf("%s is %q, want %q", name, v, want)
		}
	}
	if got.header("X-Two") != "a|b" || got.header("Content-Type") != "text/html" || got.header("Set-Cookie") != "" {
		t.Errorf("the page gets %v", got.headers)
	}
	// 127.0.0.2 is not a public address, but the tests' guard permits it.
	if g.counted(apiproxy.Answered) != 1 || len(g.audited) != 1 {
		t.Errorf("%v %v", g.outcomes, g.audited)
	}
}

func TestEveryMethodAndBodyIsForwarded(t *testing.T) {
	target := serveAt(t, "127.0.0.2:0", echo)
	g := open(t, apiproxy.Options{}, target.URL)
	for _, m := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"} {
		if got := g.send(call{target: target.URL + "/x", method: m}); !strings.Contains(string(got.body),
			m+" /x host="+target.Listener.Addr().String()+" length=0 body=\n") {
			t.Errorf("%s: %s", m, got.body)
		}
	}
	if got := g.send(call{target: target.URL, method: "HEAD"}); len(got.body) != 0 ||
		got.Header.Get("Lectern-Status") != "418" || got.header("X-Two") != "a|b" {
		t.Errorf("HEAD: %v %q", got.Header, got.body)
	}
	// A body of unknown length.
	r := httptest.NewRequest(http.MethodPost, g.site.URL+capability.ProxyPath,
		struct{ io.Reader }{strings.NewReader("streamed")})
	r.RequestURI, r.ContentLength = "", -1
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Lectern-Target", target.URL)
	r.Header.Set("Lectern-Method", "POST")
	if got := g.do(r); !strings.Contains(string(got.body), "body=streamed") {
		t.Errorf("%s", got.body)
	}
}

// F5: only pages of the site may use the proxy, and only for origins in its published descriptions.
func TestUnlistedOriginsAreRefused(t *testing.T) {
	trap := serveAt(t, "127.0.0.2:0", echo)
	other := serveAt(t, "127.0.0.2:0", echo)
	g := open(t, apiproxy.Options{}, trap.URL)
	for name, outer := range map[string]http.Header{
		"another site": {"Sec-Fetch-Site": {"cross-site"}}, "a sister site": {"Sec-Fetch-Site": {"same-site"}},
		"the address bar": {"Sec-Fetch-Site": {"none"}}, "no browser": {"Sec-Fetch-Site": nil},
		"an old browser elsewhere": {"Sec-Fetch-Site": nil, "Origin": {"https://evil.example"}},
		"a null origin":            {"Sec-Fetch-Site": nil, "Origin": {"null"}},
	} {
		g.refused(name, g.send(call{target: trap.URL, outer: outer}), http.StatusForbidden, "foreign_page")
	}
	if got := g.send(call{target: trap.URL,
		outer: http.Header{"Sec-Fetch-Site": nil, "Origin": {g.site.URL}}}); got.Header.Get("Lectern-Status") == "" {
		t.Errorf("an old browser on the site's own page: %s", got.body)
	}
	seen := trap.connections()
	for _, target := range []string{other.URL, "http://127.0.0.2/", "https://127.0.0.2:" + trap.port(),
		"http://127.0.0.2:" + trap.port() + "0/", "http://example.com/",
		"https://" + trap.Listener.Addr().String() + ".example.com/"} {
		if got := g.send(call{target: target}); got.StatusCode != http.StatusBadRequest ||
			got.code != "origin_not_allowed" && got.code != "bad_target" {
			t.Errorf("%s: %d %s", target, got.StatusCode, got.body)
		}
	}
	g.refused("a foreign origin", g.send(call{target: other.URL}), http.StatusBadRequest, "origin_not_allowed")
	g.publish() // the site's next version lists no origins
	g.refused("an origin of yesterday", g.send(call{target: trap.URL}), http.StatusBadRequest, "origin_not_allowed")
	delete(g.files, capability.OriginsFile)
	g.refused("a site without a playground", g.send(call{target: trap.URL}), http.StatusBadRequest,
		"origin_not_allowed")
	if trap.connections() != seen || other.connections() != 0 {
		t.Error("an API was reached")
	}
}

func TestMalformedRequestsAreRefused(t *testing.T) {
	target := serveAt(t, "127.0.0.2:0", echo)
	g := open(t, apiproxy.Options{}, target.URL)
	many := make([][2]string, 101)
	for i := range many {
		many[i] = [2]string{"X-A", "1"}
	}
	for name, c := range map[string]struct {
		call
		status int
		code   string
	}{
		"no target":    {call{target: ""}, 400, "bad_target"},
		"relative":     {call{target: "/v1"}, 400, "bad_target"},
		"no host":      {call{target: "http:///x"}, 400, "bad_target"},
		"other scheme": {call{target: "ftp://127.0.0.2/"}, 400, "bad_target"},
		"file":         {call{target: "file:///etc/passwd"}, 400, "bad_target"},
		"user":         {call{target: "http://user@" + target.Listener.Addr().String()}, 400, "bad_target"},
		"long":         {call{target: target.URL + "/" + strings.Repeat("x", 8<<10)}, 400, "bad_target"},
		"port 0":       {call{target: "http://127.0.0.2:0"}, 400, "bad_target"},
		"port 70000":   {call{target: "http://127.0.0.2:70000"}, 400, "bad_target"},
		"two targets": {call{target: target.URL, outer: http.Header{"Lectern-Target": {target.URL, target.URL}}},
			400, "bad_target"},
		"connect":    {call{target: target.URL, method: "CONNECT"}, 400, "bad_method"},
		"trace":      {call{target: target.URL, method: "trace"}, 400, "bad_method"},
		"two words":  {call{target: target.URL, method: "GET /x"}, 400, "bad_method"},
		"no method":  {call{target: target.URL, outer: http.Header{"Lectern-Method": {""}}}, 400, "bad_method"},
		"not base64": {call{target: target.URL, outer: http.Header{"Lectern-Headers": {"!"}}}, 400, "bad_headers"},
		"not JSON": {call{target: target.URL, outer: http.Header{"Lectern-Headers": {"e30"}}}, 400,
			"bad_headers"},
		"many headers":    {call{target: target.URL, headers: many}, 400, "bad_headers"},
		"two lines":       {call{target: target.URL, headers: [][2]string{{"X-A", "1\r\nX-B: 2"}}}, 400, "bad_headers"},
		"a line's end":    {call{target: target.URL, headers: [][2]string{{"X-A", "1\n"}}}, 400, "bad_headers"},
		"a null":          {call{target: target.URL, headers: [][2]string{{"X-A", "\x00"}}}, 400, "bad_headers"},
		"a name in parts": {call{target: target.URL, headers: [][2]string{{"X-A: 1\r\nX", "1"}}}, 400, "bad_headers"},
		"no name":         {call{target: target.URL, headers: [][2]string{{"", "1"}}}, 400, "bad_headers"},
		"large headers": {call{target: target.URL, headers: [][2]string{{"X-A", strings.Repeat("x", 30<<10)}}}, 413,
			"headers_too_large"},
		"a large body": {call{target: target.URL, method: "POST", body: make([]byte, 10<<20+1)}, 413,
			"request_too_large"},
	} {
		g.refused(name, g.send(c.call), c.status, c.code)
	}
	if target.connections() != 0 {
		t.Error("the API was reached")
	}
}

// A bundle's page can find out whether there is a proxy.
func TestPageCanDetectTheProxy(t *testing.T) {
	g := open(t, apiproxy.Options{})
	for method, want := range map[string]int{"GET": 204, "HEAD": 204, "PUT": 405, "DELETE": 405, "OPTIONS": 405} {
		r, _ := http.NewRequestWithContext(t.Context(), method, g.site.URL+capability.ProxyPath, nil)
		got := g.do(r)
		if got.StatusCode != want || got.Header.Get("Lectern-Proxy") == "1" != (want == 204) {
			t.Errorf("%s: %d %v", method, got.StatusCode, got.Header)
		}
	}
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, g.site.URL+capability.ProxyPath+"/below", nil)
	g.refused("below", g.do(r), http.StatusNotFound, "not_found")
}

// F3, F5: a redirect is returned, never followed.
func TestRedirectsAreReturnedNotFollowed(t *testing.T) {
	trap := serveAt(t, "127.0.0.1:0", echo)
	var to string
	target := serveAt(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusFound)
		_, _ = io.WriteString(w, "moved")
	})
	g := open(t, apiproxy.Options{}, target.URL)
	for _, to = range []string{trap.URL, target.URL + "/again", "file:///etc/passwd",
		"http://169.254.169.254/latest/meta-data/", "//127.0.0.1/"} {
		got := g.send(call{target: target.URL})
		if got.Header.Get("Lectern-Status") != "302" || got.header("Location") != to || string(got.body) != "moved" ||
			got.Header.Get("Location") != "" {
			t.Errorf("%s: %v %s", to, got.Header, got.body)
		}
	}
	if trap.connections() != 0 {
		t.Error("a redirect was followed")
	}
}
