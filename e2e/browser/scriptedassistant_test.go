package browser

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
)

// scriptedAssistant replaces a site's assistant and gives the answers that a test needs, including some that ours would
// never give, because the browser must not trust the server's answers.
type scriptedAssistant struct {
	mu    sync.Mutex
	asked []map[string]any // request bodies of questions
	rated []map[string]any // request bodies of feedback
	says  func(w http.ResponseWriter, n int)
}

// ServeSite implements siteapi.Endpoint.
func (s *scriptedAssistant) ServeSite(w http.ResponseWriter, r *http.Request, _ siteapi.Site) {
	if r.Method == http.MethodGet {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"mode": "model", "questions": ["How do I <b>start</b>?"]}`) // the reader has gone
		return
	}
	var body map[string]any
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if r.URL.Path == capability.AskPath+"/feedback" {
		s.mu.Lock()
		s.rated = append(s.rated, body)
		s.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
		return
	}
	s.mu.Lock()
	s.asked = append(s.asked, body)
	n := len(s.asked)
	s.mu.Unlock()
	s.says(w, n)
}

func (s *scriptedAssistant) question(n int) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[n-1]
}

// expectFeedback checks the last feedback.
func (s *scriptedAssistant) expectFeedback(t *testing.T, want string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if got, err := json.Marshal(s.rated[len(s.rated)-1]); err != nil || string(got) != want {
		t.Errorf("feedback %s %v, want %s", got, err, want)
	}
}

// stream writes parts of an answer, each flushed.
func stream(w http.ResponseWriter, parts ...map[string]any) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, p := range parts {
		data, _ := json.Marshal(p) // maps of strings always encode
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
		w.(http.Flusher).Flush()
	}
}

// answer writes a whole answer in the format that the AI SDK reads.
func answer(w http.ResponseWriter, text string, sources ...map[string]any) {
	parts := []map[string]any{
		{"type": "start", "messageId": "m1"}, {"type": "data-thread",
			"data": map[string]any{"threadId": "t1", "mode": "model"}}, {"type": "text-start", "id": "1"},
	}
	for len(text) > 0 {
		n := min(len(text), 7)
		parts, text = append(parts, map[string]any{"type": "text-delta", "id": "1", "delta": text[:n]}), text[n:]
	}
	parts = append(append(parts, map[string]any{"type": "text-end", "id": "1"}), sources...)
	stream(w, append(parts, map[string]any{"type": "finish"})...)
	_, _ = io.WriteString(w, "data: [DONE]\n\n") // the reader has gone
}

func source(id, url, title string) map[string]any {
	return map[string]any{"type": "source-url", "sourceId": id, "url": url, "title": title}
}

// serveAssistant builds and serves a docs folder whose assistant's answers come from s.
func serveAssistant(t *testing.T, s *scriptedAssistant, pairs ...string) *served {
	t.Helper()
	docs := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		docs[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	built := &sitehost.Built{}
	if _, err := build.Build(t.Context(), docs, build.Options{Offers: capability.Offers{Search: true,
		Assistant: capability.Assistant{On: true}}}, built); err != nil {
		t.Fatal(err)
	}
	out := &served{}
	handler := sitehost.Single(sitehost.Options{CacheBytes: 1 << 20, Now: time.Now,
		Logger: slog.New(slog.DiscardHandler), Endpoints: map[string]siteapi.Endpoint{capability.AskPath: s}}, built)
	out.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out.mu.Lock()
		out.asked = append(out.asked, r.URL.Path)
		out.mu.Unlock()
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(out.Close)
	return out
}
