package browser

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// receivedRequest is a request as an API received it.
type receivedRequest struct {
	method, path, query string // path as sent
	header              http.Header
	body                string
}

// petServer is a real API that records its requests. Pages of other origins may read its responses if open is set.
type petServer struct {
	*httptest.Server
	open bool
	live chan string // the next events of /live, until it is closed
	mu   sync.Mutex
	last receivedRequest
	n    int
}

// onePixel is an image of one pixel.
var onePixel, _ = base64.StdEncoding.DecodeString(
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")

func newAPI(t *testing.T, open bool) *petServer {
	t.Helper()
	a := &petServer{open: open, live: make(chan string)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /token", a.token)
	mux.HandleFunc("/kind/image", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(onePixel)
	})
	mux.HandleFunc("/kind/html", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1"><b>bold</b>`)
	})
	mux.HandleFunc("/kind/svg", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = io.WriteString(w, `<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked = 1"/>`)
	})
	mux.HandleFunc("/kind/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			_, _ = fmt.Fprintf(w, "event: tick\ndata: {\"n\":%d}\n\n", i)
			w.(http.Flusher).Flush()
		}
	})
	mux.HandleFunc("/live", a.stream)
	mux.HandleFunc("/many", func(w http.ResponseWriter, r *http.Request) {
		for i := range 5 {
			w.Header().Set(fmt.Sprintf("X-Many-%d", i), strings.Repeat("x", 4000))
		}
	})
	// until the reader cancels
	mux.HandleFunc("/kind/slow", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/kind/empty", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/kind/binary", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write([]byte{0, 1, 2, 0xff, 'l', 'e', 'c'})
	})
	mux.HandleFunc("/kind/error", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, `{"title": "short and stout", "big": 12345678901234567890}`)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"ok": true}`)
	})
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.open {
			w.Header().Set("Access-Control-Allow-Origin", "*")
			w.Header().Set("Access-Control-Expose-Headers", "*")
			w.Header().Set("Access-Control-Allow-Methods", "*")
			w.Header().Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
			if r.Method == http.MethodOptions {
				return
			}
		}
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		a.mu.Lock()
		a.n++
		a.last = receivedRequest{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, r.Header.Clone(), string(body)}
		if raw := r.RequestURI; strings.HasPrefix(raw, "/") {
			a.last.path, _, _ = strings.Cut(raw, "?")
		}
		a.mu.Unlock()
		if !strings.HasPrefix(r.URL.Path, "/v1/") {
			mux.ServeHTTP(w, r)
			return
		}
		http.StripPrefix("/v1", mux).ServeHTTP(w, r)
	}))
	t.Cleanup(a.Close)
	return a
}

// stream sends events on request.
func (a *petServer) stream(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	for {
		select {
		case text, more := <-a.live:
			if !more {
				return
			}
			_, _ = fmt.Fprintf(w, "data: %s\n\n", text)
			w.(http.Flusher).Flush()
		case <-r.Context().Done():
			return
		}
	}
}

// token issues a token to a client that authenticates in a header, and to a user whose client authenticates in the
// body.
func (a *petServer) token(w http.ResponseWriter, r *http.Request) {
	id, secret, _ := r.BasicAuth()
	w.Header().Set("Content-Type", "application/json")
	client := id == "reader" && secret == "s3cret" && r.PostFormValue("grant_type") == "client_credentials"
	person := r.PostFormValue("client_id") == "app" && r.PostFormValue("client_secret") == "app-s3cret" &&
		r.PostFormValue("grant_type") == "password" && r.PostFormValue("username") == "Ü" &&
		r.PostFormValue("password") == "p&w"
	if !client && !person {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"error": "invalid_client", "error_description": "nobody knows this client"}`)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"access_token": "minted-" + r.PostFormValue("scope"),
		"token_type": "bearer", "expires_in": 3600})
}

func (a *petServer) lastRequest() receivedRequest {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.last
}

func (a *petServer) requestCount() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.n
}

// parts reads a multipart body as "name filename type: content" lines.
func (h receivedRequest) parts(t *testing.T) (out []string) {
	t.Helper()
	_, boundary, ok := strings.Cut(h.header.Get("Content-Type"), "boundary=")
	if !ok {
		t.Fatalf("no boundary in %q", h.header.Get("Content-Type"))
	}
	for r := multipart.NewReader(strings.NewReader(h.body), boundary); ; {
		part, err := r.NextRawPart()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		data, _ := io.ReadAll(part)
		out = append(out, fmt.Sprintf("%s %s %s: %s", part.FormName(), part.FileName(), part.Header.Get("Content-Type"),
			data))
	}
}
