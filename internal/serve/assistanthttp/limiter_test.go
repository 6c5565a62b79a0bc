package assistanthttp_test

import (
	"context"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/assistanthttp"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/store"
)

// slow is a model whose answer does not end on its own.
type slow struct{ began chan struct{} }

func (s slow) Answer(ctx context.Context, _ llm.Ask, heard func(string)) (llm.Completion, error) {
	heard("Four screws hold")
	s.began <- struct{}{}
	<-ctx.Done()
	return llm.Completion{}, ctx.Err()
}

// A5: concurrent answers are limited to three per visitor, and per process; all of them end when the server stops,
// and their readers can tell.
func TestConcurrentAnswersAreLimitedAndStopWithServer(t *testing.T) {
	model := slow{began: make(chan struct{})}
	w := newWorld(t, model)
	stopping := make(chan struct{})
	s := w.serve(func(o *assistanthttp.Options, _ *assistant.Conversations) {
		o.Limiter = assistanthttp.NewLimiter(assistanthttp.LimiterOptions{Now: time.Now, MaxConcurrent: 4, Stopping: stopping})
		o.Proxies = auth.Proxies{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	})
	ended := make(chan string, 4)
	begin := func(visitor string) {
		req, err := http.NewRequestWithContext(t.Context(), "POST", s.URL+capability.AskPath,
			strings.NewReader(question+"}"))
		w.ok(err)
		req.Header.Set("Origin", s.URL)
		req.Header.Set("X-Forwarded-For", visitor)
		go func() {
			res, err := s.Client().Do(req)
			if err != nil {
				ended <- err.Error()
				return
			}
			defer res.Body.Close()
			raw, _ := io.ReadAll(res.Body)
			ended <- string(raw)
		}()
		<-model.began
	}
	for range 3 {
		begin("192.0.2.1")
	}
	if res, raw := w.send(s, "POST", capability.AskPath, question+"}", "X-Forwarded-For",
		"192.0.2.1"); res.StatusCode != 429 || res.Header.Get("Retry-After") == "" {
		t.Errorf("a fourth concurrent answer: %d %s", res.StatusCode, raw)
	}
	begin("192.0.2.2")
	if res, raw := w.send(s, "POST", capability.AskPath, question+"}", "X-Forwarded-For",
		"192.0.2.3"); res.StatusCode != 503 || res.Header.Get("Retry-After") == "" {
		t.Errorf("a full process: %d %s", res.StatusCode, raw)
	}
	close(stopping)
	for range 4 {
		if raw := <-ended; !strings.Contains(raw, `{"type":"error",`) || !strings.HasSuffix(raw, "data: [DONE]\n\n") {
			t.Errorf("an answer ended with %q", raw)
		}
	}
}

// A client that does not send a browser's headers counts as a program.
func TestProgramsAreDistinguishedFromPages(t *testing.T) {
	w := newWorld(t, nil)
	s := w.serve(nil)
	for _, header := range [][]string{{"User-Agent", "curl/8"}, {"User-Agent", "Mozilla/5.0"},
		{"User-Agent", "x", "Sec-Fetch-Site", "same-origin"}} {
		w.send(s, "POST", capability.AskPath, question+"}", header...)
	}
	if got, err := w.store.CountExchanges(t.Context(), w.project.ID, store.Span{}); err != nil ||
		got != (conversation.Stats{Web: 2, Other: 1}) {
		t.Errorf("%+v %v", got, err)
	}
}

// If a reader changes a rating, the comment is kept.
func TestRatingWithoutCommentKeepsEarlierComment(t *testing.T) {
	w := newWorld(t, nil)
	s := w.serve(nil)
	a := w.ask(s, "")
	for _, more := range []string{`"helpful":false,"comment":"Too short."`, `"helpful":true`} {
		w.send(s, "POST", capability.AskPath+"/feedback",
			`{"threadId":"`+a.Thread.ThreadID+`","messageId":"`+a.MessageID+`",`+more+`}`)
	}
	list, err := w.store.FindThread(t.Context(), w.project.ID, a.Thread.ThreadID)
	if err != nil || len(list) != 1 || list[0].Helpful == nil || !*list[0].Helpful || list[0].Comment != "Too short." {
		t.Errorf("%+v %v", list, err)
	}
}
