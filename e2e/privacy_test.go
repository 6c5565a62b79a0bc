package e2e

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/otlpreceiver"
)

// Personal data in this test's traffic. None of it may appear in logs, metrics, traces or analytics.
const (
	canaryIPv4     = "203.0.113.177"
	canaryIPv6     = "2001:db8:feed:beef:1:2:3:177"
	canaryPeer     = "127.77.77.177" // a direct connection, without a proxy
	canaryEmail    = "canary.reader@personal.example"
	canaryName     = "Canaria Birdsong"
	canaryPassword = "canary password of a person"
	canaryAgent    = "Mozilla/5.0 (X11; CanaryOS 7) AppleWebKit/537.36 Chrome/130.0 Safari/537.36"
	canaryQuery    = "canaryquery=8841"
	canaryToken    = "canarytoken55c1f0"
	canaryKey      = "lectern_canarykeythatnobodyevermade0123456789AB"
	canaryReferrer = "canary-page-that-the-reader-came-from"
)

var personalData = map[string]string{
	"IPv4 address": canaryIPv4, "IPv6 address": canaryIPv6, "address of a connection": canaryPeer,
	"e-mail address":          canaryEmail,
	"e-mail address, escaped": url.QueryEscape(canaryEmail), "name": canaryName, "password": canaryPassword,
	"user agent":   "CanaryOS",
	"query string": canaryQuery, "token": canaryToken, "key": canaryKey, "path of a referrer": canaryReferrer,
}

// D7: readers, callers and people who sign in send personal data in every part of a request. Debug logs, metrics,
// exported traces, metrics and logs, and every file of the data folder, including the database with its analytics,
// contain none of it.
func TestPersonalDataIsNeverRecorded(t *testing.T) {
	t.Parallel()
	sent, metrics, data := otlpreceiver.New(t), freeAddress(t), t.TempDir()
	p := serve(t, data, nil, "--first-site", "off", "--metrics-listen", metrics,
		"--otel-endpoint", sent.GRPC, "--otel-protocol", "grpc",
		"--otel-signals", "traces,metrics,logs", "--log-level", "debug",
		"--trusted-proxies", "127.0.0.1", "--features-assistant", "local", "--sources-local", "on")
	p.Await("the first key", func() bool { return keyShape.MatchString(p.Output()) })
	key := keyShape.FindString(p.Output())
	publishFolder(t, p.client(key), site(t, 1), "docs.localhost")
	start := len(p.Output()) // the startup output for the operator is not about readers
	for _, from := range []string{canaryIPv4, canaryIPv6} {
		sendCanaries(t, p, from, key)
	}
	sendMalformed(t, p)

	// Wait until the visit is counted, so that the absence of personal data below is not due to missing data.
	p.Await("the counted visit", func() bool {
		return inDatabase(t, data, "referring-site.example")
	})
	_, text := exportedSeries(t, metrics)
	p.Stop() // flushes traces and counts
	out := p.Output()[start:]
	for what, sample := range map[string][2]string{
		"log": {out, `"msg":"sign-in failed"`}, "log of requests": {out, `"msg":"request"`},
		"metrics": {text, "lectern_"},
		"spans":   {sent.Text(), "http.route"}, "exported log": {sent.Text(), "sign-in failed"},
		"exported metrics": {sent.Text(), "lectern_ready"},
	} {
		if !strings.Contains(sample[0], sample[1]) {
			t.Errorf("the %s does not contain %s: this test would find nothing", what, sample[1])
		}
	}
	for what, text := range map[string]string{"log": out, "metrics": text, "exported telemetry": sent.Text()} {
		scanForCanaries(t, what, text)
	}
	scanFiles(t, data)
}

func scanForCanaries(t *testing.T, what, text string) {
	t.Helper()
	for name, canary := range personalData {
		if at := strings.Index(text, canary); at >= 0 {
			t.Errorf("%s: found the %s in: …%s…", what, name, text[max(0, at-200):min(len(text), at+100)])
		}
	}
}

// scanFiles scans every file that the server stores.
func scanFiles(t *testing.T, data string) {
	t.Helper()
	err := filepath.WalkDir(data, func(name string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(name)
		scanForCanaries(t, d.Name(), string(raw))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// sendCanaries sends the requests of a reader, a program, a caller of the API and a person who signs in.
func sendCanaries(t *testing.T, p *process, from, key string) {
	t.Helper()
	view := `[{"kind":"view","path":"/page-00000?` + canaryQuery + `","referrer":"https://referring-site.example/` +
		canaryReferrer +
		`?token=` + canaryToken + `"}]`
	form := url.Values{"email": {canaryEmail}, "password": {canaryPassword}, "name": {canaryName}}.Encode()
	search := "?" + canaryQuery + "&email=" + url.QueryEscape(canaryEmail) + "&token=" + canaryToken
	for _, c := range []struct{ method, host, path, kind, body, key string }{
		{http.MethodGet, "docs.localhost", "/page-00000" + search, "", "", ""},
		{http.MethodGet, "docs.localhost", "/page-00000.md" + search, "", "", ""},
		{http.MethodGet, "docs.localhost", "/there-is-no-such-page" + search, "", "", ""},
		{http.MethodPost, "docs.localhost", "/_lectern/api/event" + search, "application/json", view, ""},
		{http.MethodPost, "docs.localhost", "/mcp" + search, "application/json",
			`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, ""},
		{http.MethodGet, "unknown.localhost", "/" + search, "", "", ""},
		{http.MethodGet, "", "/v1/projects" + search, "", "", canaryKey},
		{http.MethodGet, "", "/v1/projects" + search, "", "", key},
		{http.MethodPost, "", "/v1/projects" + search, "application/json",
			`{"name":"` + canaryName + `","domain":"` + canaryEmail + `"}`, key},
		{http.MethodGet, "", "/dashboard/join?token=" + canaryToken, "", "", ""},
		{http.MethodPost, "", "/dashboard/sign-in" + search, "application/x-www-form-urlencoded", form, ""},
		{http.MethodGet, "", "/no/such/path" + search, "", "", ""},
	} {
		r, err := http.NewRequestWithContext(background(), c.method, p.url+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = c.host
		r.Header.Set("User-Agent", canaryAgent)
		r.Header.Set("X-Forwarded-For", from)
		r.Header.Set("Referer", "https://referring-site.example/"+canaryReferrer+search)
		r.Header.Set("Cookie", "visitor="+canaryToken)
		if c.kind != "" {
			r.Header.Set("Content-Type", c.kind)
		}
		if c.key != "" {
			r.Header.Set("Authorization", "Bearer "+c.key)
		}
		answer, err := http.DefaultClient.Do(r)
		if code, body := readResponse(t, answer, err); code >= http.StatusInternalServerError {
			t.Errorf("%s %s: %d %s", c.method, c.path, code, body)
		}
	}
}

// sendMalformed sends, from a separate address, requests that Go's own server refuses before any of our code runs.
func sendMalformed(t *testing.T, p *process) {
	t.Helper()
	for _, bytes := range []string{
		"GET /?" + canaryQuery + " HTTP/1.1\r\nHost: a b\r\nX-Name: " + canaryName + "\r\n\r\n",
		"\x16\x03\x01\x02\x00" + canaryToken + "\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: docs.localhost\r\nX-Long: " + strings.Repeat(canaryToken, 10_000) + "\r\n\r\n",
		"POST /v1/projects HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: " + canaryToken + "\r\n\r\n",
	} {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(canaryPeer)}}
		c, err := dialer.DialContext(background(), "tcp", strings.TrimPrefix(p.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(c, bytes) // the server may refuse early and close the connection
		_, _ = io.Copy(io.Discard, c)
		_ = c.Close()
	}
}

// inDatabase reports whether one of the database's files contains the text.
func inDatabase(t *testing.T, data, text string) bool {
	t.Helper()
	for _, name := range []string{"lectern.db", "lectern.db-wal"} {
		raw, err := os.ReadFile(filepath.Join(data, name))
		if err == nil && bytes.Contains(raw, []byte(text)) {
			return true
		}
	}
	return false
}
