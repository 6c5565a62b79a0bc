package wire

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func events(t *testing.T, stream string) (out []string, err error) {
	t.Helper()
	r := newReply("text/event-stream", iotest.OneByteReader(strings.NewReader(stream)))
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, e.Name+"|"+string(e.Data))
	}
}

func TestStreamVariantsAreParsed(t *testing.T) {
	for stream, want := range map[string]string{
		"data: a\n\n":                                "|a",
		"event: x\ndata: a\n\ndata: b\n\n":           "x|a,|b",
		"data: a\r\ndata: b\r\n\r\n":                 "|a\nb",
		"\ufeffdata: a\n\n":                          "|a",
		": comment\n\ndata:a\n\n":                    "|a",
		"id: 1\nretry: 5\nunknown\ndata: a\n\n":      "|a",
		"event: ping\n\ndata: a\n\n":                 "|a", // no data, no event
		"data\n\n":                                   "|",
		"data: a\n\ndata: [DONE]":                    "|a,|[DONE]",
		"data: a\n\ndata: [DONE]\n":                  "|a,|[DONE]",
		"data:  two spaces: and a colon\n\n":         "| two spaces: and a colon",
		"":                                           "",
		"\n\n\n":                                     "",
		"event: e\ndata: {\"a\":\ndata:  1}\n\n\n\n": "e|{\"a\":\n 1}",
	} {
		got, err := events(t, stream)
		if err != nil || strings.Join(got, ",") != want {
			t.Errorf("%q: %q, %v, want %q", stream, got, err, want)
		}
	}
}

func TestEventSizeIsLimited(t *testing.T) {
	line := strings.Repeat("x", maxEvent+10)
	for name, stream := range map[string]string{"line": "data: " + line,
		"lines": strings.Repeat("data: "+line[:1<<20]+"\n", 10)} {
		r := newReply("", strings.NewReader(stream))
		if _, err := r.Next(); !fault.HasCode(err, "model_answer_invalid") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzNext(f *testing.F) {
	f.Add([]byte("event: x\ndata: {}\n\n: c\r\ndata: [DONE]"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := newReply("", bytes.NewReader(b))
		total := 0
		for {
			e, err := r.Next()
			if err != nil {
				break
			}
			total += len(e.Data)
			if bytes.ContainsRune([]byte(e.Name), '\n') {
				t.Errorf("name %q", e.Name)
			}
		}
		if total > len(b) {
			t.Errorf("%d bytes of data in %d", total, len(b))
		}
	})
}

func TestErrorDetailsAreReadFromEveryFormat(t *testing.T) {
	for body, want := range map[string]ServerError{
		`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`: {"overloaded_error",
			"Overloaded"},
		`{"error":{"message":"No","type":"invalid_request_error","param":null,"code":"quota"}}`: {
			"quota invalid_request_error", "No"},
		`{"error":{"code":400,"message":"too long","type":"exceed_context_size_error"}}`: {"exceed_context_size_error",
			"too long"},
		`{"error":"model 'x' not found"}`: {"", "model 'x' not found"},
		`{"detail":"Not Found"}`:          {"", `{"detail":"Not Found"}`},
		"<html>Bad gateway</html>":        {"", "<html>Bad gateway</html>"},
		"":                                {},
		`{"error":null}`:                  {"", `{"error":null}`},
	} {
		if got := ParseServerError([]byte(body)); got != want {
			t.Errorf("%s: %+v, want %+v", body, got, want)
		}
	}
	if got := ParseServerError(bytes.Repeat([]byte("ä"), 10_000)); len(got.Message) > 600 {
		t.Errorf("%d bytes", len(got.Message))
	}
}

func FuzzParseServerError(f *testing.F) {
	f.Add([]byte(`{"error":{"type":"x","message":"y"}}`), 429)
	f.Fuzz(func(t *testing.T, b []byte, status int) {
		if ParseServerError(b).Fault(status) == nil {
			t.Error("no fault")
		}
	})
}

func TestStatusesMapToFaults(t *testing.T) {
	for status, want := range map[int]string{
		400: "model_request_refused", 401: "model_key_refused", 402: "model_account_refused", 403: "model_key_refused",
		404: "model_unknown", 413: "model_input_too_long",
		422: "model_request_refused", 301: "model_request_refused", 204: "model_request_refused",
		501: "model_request_refused",
		408: "", 409: "", 429: "", 500: "", 502: "", 503: "", 504: "", 529: "",
	} {
		err := ServerError{Message: "x"}.Fault(status)
		var again *llm.Again
		if errors.As(err, &again) != (want == "") || want != "" && !fault.HasCode(err, want) {
			t.Errorf("%d: %v, want %q", status, err, want)
		}
	}
}

func TestRetryAfterFormatsAreParsed(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"7": 7 * time.Second, "0.5": 500 * time.Millisecond, "Fri, 02 Jan 2026 03:04:35 GMT": 30 * time.Second,
		"Fri, 02 Jan 2026 03:00:00 GMT": 0,
		"":                              0, "soon": 0, "-3": 0, "NaN": 0, "1e300": 24 * time.Hour,
		"Inf": 24 * time.Hour,
	} {
		if got := retryAfter(http.Header{"Retry-After": {value}}, func() time.Time { return now }); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
	if got := retryAfter(http.Header{"Retry-After": {"9"}, "Retry-After-Ms": {"250"}},
		nil); got != 250*time.Millisecond {
		t.Errorf("milliseconds: %v", got)
	}
	if got := retryAfter(http.Header{"Retry-After": {"Fri, 02 Jan 2026 03:04:35 GMT"}}, nil); got != 0 {
		t.Errorf("a date without a clock: %v", got)
	}
}

func TestServerMayForbidRetry(t *testing.T) {
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls++
		w.Header().Set("X-Should-Retry", "false")
		w.WriteHeader(500)
	}))
	defer server.Close()
	c, err := New(Options{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Post(t.Context(), []byte("{}"), nil); !fault.HasCode(err, "model_busy") || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

func TestAddressesMustBeHTTP(t *testing.T) {
	for _, u := range []string{"", "file:///etc/passwd", "api.example.com", "http://", "://"} {
		if _, err := New(Options{URL: u}); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", u, err)
		}
	}
}

// A response of exactly the maximum size is accepted; one byte more is refused.
func TestResponseLimitIsExact(t *testing.T) {
	body := `"` + strings.Repeat("x", 98) + `"`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, body)
	}))
	defer server.Close()
	for limit, good := range map[int64]bool{100: true, 99: false} {
		c, err := New(Options{URL: server.URL, Bytes: limit})
		if err != nil {
			t.Fatal(err)
		}
		var got string
		err = c.Post(t.Context(), nil, func(r *Reply) error { return r.JSON(&got) })
		if good != (err == nil && len(got) == 98) || !good && !fault.HasCode(err, "model_answer_invalid") {
			t.Errorf("limit %d: %d bytes, %v", limit, len(got), err)
		}
	}
}
