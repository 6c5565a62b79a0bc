package client_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
)

func serve(t *testing.T, h http.HandlerFunc) *client.Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	c, err := client.New(server.URL, key)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestNewRefusesInvalidAddresses(t *testing.T) {
	for _, base := range []string{"", "lectern.example.com", "ftp://h", "http://", "https://u:hunter2@h",
		"https://h?x=1", "http://%zz:hunter2@h"} {
		if _, err := client.New(base, key); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("New(%q): %v", base, err)
		}
	}
}

func TestErrorHasAllResponseFields(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "req_1")
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
		io.WriteString(w,
			`{"error":"Too many keys.","code":"rate_limited","requestId":"req_1","hint":"Wait.","details":[{"field":"label","message":"m"}]}`)
	})
	_, err := c.CreateKey(t.Context(), client.CreateKey{})
	var e *client.Error
	if !errors.As(err, &e) {
		t.Fatalf("%T: %v", err, err)
	}
	if e.Status != 429 || e.Code != "rate_limited" || e.Message != "Too many keys." || e.Hint != "Wait." ||
		e.RequestID != "req_1" ||
		e.RetryAfter != 7*time.Second || len(e.Details) != 1 || e.Details[0].Field != "label" {
		t.Errorf("%+v", e)
	}
	if e.Error() != "Too many keys. (status 429, rate_limited, request req_1)" {
		t.Error(e.Error())
	}
}

func TestResponseFromAnotherServerIsAnError(t *testing.T) {
	for name, answer := range map[string]string{"page": "<html>bad gateway</html>", "nothing": "",
		"other JSON": `{"message":"x"}`, "list": `[]`} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusBadGateway)
			io.WriteString(w, answer)
		})
		_, err := c.GetDeployment(t.Context())
		var e *client.Error
		if !errors.As(err, &e) || e.Status != 502 || e.Code != "" || !strings.Contains(e.Message, "502 Bad Gateway") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMalformedResponseIsAnError(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, `{"type":`) })
	if _, err := c.GetDeployment(t.Context()); err == nil {
		t.Error("a truncated response was accepted")
	}
}

// K9: the client sends its key only to the configured server.
func TestRedirectIsNotFollowed(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("called the other server with %q", r.Header.Get("Authorization"))
	}))
	defer other.Close()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	})
	_, err := c.GetDeployment(t.Context())
	var e *client.Error
	if !errors.As(err, &e) || e.Status != 307 {
		t.Errorf("%v", err)
	}
}

func TestErrorsDoNotShowTheKey(t *testing.T) {
	c, err := client.New("http://127.0.0.1:1", key) // nothing listens there
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.GetDeployment(t.Context()); err == nil || strings.Contains(fmt.Sprintf("%+v %#v", err, err), key) {
		t.Errorf("%v", err)
	}
}

func TestIDsCannotChangeThePath(t *testing.T) {
	var uri string
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { uri = r.RequestURI; io.WriteString(w, job) })
	for id, want := range map[string]string{"a/../b": "a%2F..%2Fb", "a?b#c": "a%3Fb%23c", "ü %": "%C3%BC%20%25"} {
		if _, err := c.GetExport(t.Context(), id); err != nil || uri != "/v1/static-export/jobs/"+want {
			t.Errorf("%q: called %s (%v), want the id as %s", id, uri, err, want)
		}
	}
	for _, id := range []string{"", ".", ".."} {
		if _, err := c.GetExport(t.Context(), id); err == nil {
			t.Errorf("%q was accepted as an id", id)
		}
	}
}

func TestOptionsReachTheServer(t *testing.T) {
	var got http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		io.WriteString(w, job)
	}))
	defer server.Close()
	own := &http.Client{Timeout: time.Minute}
	c, err := client.New(server.URL, key, client.WithHTTPClient(own), client.WithUserAgent("test/1"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.StartExport(t.Context(), client.StartExport{Domain: "a.example"}, client.WithIdempotencyKey("once"),
		client.WithRequestID("mine")); err != nil {
		t.Fatal(err)
	}
	if got.Get("User-Agent") != "test/1" || got.Get("Idempotency-Key") != "once" || got.Get("X-Request-Id") != "mine" {
		t.Errorf("%v", got)
	}
	if own.CheckRedirect != nil {
		t.Error("the caller's http.Client was changed")
	}
}

func TestPushSignatureCoversExactBytes(t *testing.T) {
	var header http.Header
	var body []byte
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		header = r.Header
		body, _ = io.ReadAll(r.Body)
		io.WriteString(w, `{"accepted":false,"statusId":null,"reason":"another branch"}`)
	})
	answer, err := c.SendPush(t.Context(), "prj_1",
		client.Push{Secret: "s", Delivery: "d1", Event: map[string]string{"ref": "refs/heads/<&>"}})
	if err != nil || answer.Accepted || *answer.Reason != "another branch" {
		t.Fatalf("%+v, %v", answer, err)
	}
	mac := hmac.New(sha256.New, []byte("s"))
	mac.Write(body)
	if want := "sha256=" + hex.EncodeToString(mac.Sum(nil)); header.Get("X-Hub-Signature-256") != want ||
		header.Get("X-GitHub-Delivery") != "d1" || header.Get("Authorization") != "" {
		t.Errorf("%v, want the signature %s", header, want)
	}
}

func TestStreamIsReadUntilTheJobEnds(t *testing.T) {
	running := strings.Replace(job, "completed", "running", 1)
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept") != "text/event-stream" {
			t.Errorf("Accept is %q", r.Header.Get("Accept"))
		}
		half := strings.Index(running, ",") + 1 // a line may end only between tokens
		io.WriteString(w, ": hello\n\nevent: other\ndata: {}\n\nevent: progress\r\ndata: "+running+"\r\n\r\n")
		io.WriteString(w, "id: 7\nevent: progress\ndata: "+running[:half]+"\n:keep\ndata:"+running[half:]+
			"\n\nevent: progress\ndata: "+job+"\n\n")
	})
	var states []client.ExportStatus
	err := c.StreamExport(t.Context(), "se_1",
		func(j client.ExportJob) error { states = append(states, j.Status); return nil })
	if err != nil || fmt.Sprint(states) != "[running running completed]" {
		t.Errorf("%v, %v", states, err)
	}
}

func TestTruncatedOrFailedStreamIsAnError(t *testing.T) {
	failed := strings.NewReplacer("completed", "failed", `"error":null`, `"error":"No pages."`).Replace(job)
	stop := errors.New("enough")
	for name, c := range map[string]struct {
		stream string
		check  func(error) bool
	}{
		"cut": {"event: progress\ndata: " + strings.Replace(job, "completed", "running", 1) + "\n\n",
			func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }},
		"cut in half": {"event: progress\ndata: " + job + "\n",
			func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }},
		"empty":    {"", func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }},
		"not JSON": {"event: progress\ndata: {\n\n", func(err error) bool { return err != nil }},
		"failed": {"event: progress\ndata: " + failed + "\n\n", func(err error) bool {
			var f *client.FailedError
			return errors.As(err, &f) && f.Reason == "No pages."
		}},
		"stopped": {"event: progress\ndata: " + strings.Replace(job, `"progress":100`, `"progress":1`, 1) + "\n\n",
			func(err error) bool { return errors.Is(err, stop) }},
	} {
		cl := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, c.stream) })
		err := cl.StreamExport(t.Context(), "se_1", func(j client.ExportJob) error {
			if j.Progress == 1 {
				return stop
			}
			return nil
		})
		if !c.check(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDownloadChecksSizeAndSum(t *testing.T) {
	bundle := bytes.Repeat([]byte("bundle "), 10_000)
	sum := fmt.Sprintf("%x", sha256.Sum256(bundle))
	var auth, query string
	files := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		auth, query = r.Header.Get("Authorization"), r.URL.RawQuery
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/bundle", http.StatusFound)
		case "/expired":
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, `{"error":"The link expired.","code":"link_expired","requestId":"r"}`)
		case "/cut":
			w.Header().Set("Content-Length", fmt.Sprint(len(bundle)))
			w.Write(bundle[:100])
		default:
			w.Write(bundle)
		}
	}))
	defer files.Close()
	c, err := client.New(files.URL, key)
	if err != nil {
		t.Fatal(err)
	}
	size := int64(len(bundle))
	for name, test := range map[string]struct {
		path  string
		size  int64
		sum   string
		check func(error) bool
	}{
		"right":     {"/bundle?sig=1", size, sum, func(err error) bool { return err == nil && query == "sig=1" }},
		"upper":     {"/bundle", size, strings.ToUpper(sum), func(err error) bool { return err == nil }},
		"moved":     {"/moved", size, sum, func(err error) bool { return err == nil }},
		"too short": {"/bundle", size + 1, sum, func(err error) bool { return errors.Is(err, client.ErrCorrupt) }},
		"too long":  {"/bundle", size - 1, sum, func(err error) bool { return errors.Is(err, client.ErrCorrupt) }},
		"other sum": {"/bundle", size, strings.Repeat("0", 64),
			func(err error) bool { return errors.Is(err, client.ErrCorrupt) }},
		"cut": {"/cut", size, sum, func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }},
		"expired": {"/expired", size, sum, func(err error) bool {
			var e *client.Error
			return errors.As(err, &e) && e.Status == 403 && e.Code == "link_expired"
		}},
	} {
		var out bytes.Buffer
		err := c.Download(t.Context(),
			&client.BundleLink{BundleURL: files.URL + test.path, SizeBytes: test.size, SHA256: test.sum}, &out)
		if !test.check(err) {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && !bytes.Equal(out.Bytes(), bundle) {
			t.Errorf("%s: other bytes were written", name)
		}
		if auth != "" {
			t.Errorf("%s: the key was sent to the file store", name)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = c.Download(ctx, &client.BundleLink{BundleURL: files.URL + "/bundle?sig=hunter2"}, io.Discard)
	if !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("cancelled download: %v", err)
	}
}
