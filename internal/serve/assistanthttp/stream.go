package assistanthttp

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/aistream"
	"github.com/lectern-docs/lectern/internal/ai/assistant"
)

const (
	longest     = 3 * time.Minute  // time limit of an answer
	streamWrite = 30 * time.Second // time limit for a client to accept one piece
	beatEvery   = 10 * time.Second // interval between keep-alives
)

// Reply configures how an answer is written.
type Reply struct {
	Base string // prefix for the paths of sources; "" on the site itself
	Form aistream.Form
}

// Answer streams the answer to a question that Admit has accepted. It returns when the answer has ended, the client has
// disconnected, or the server stops; in the last case the client can tell that the answer was truncated.
func (l *Limiter) Answer(ctx context.Context, w http.ResponseWriter, d *assistant.Conversations, t assistant.Talk,
	q assistant.Question, to Reply) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	s := openStream(w, to.Form)
	if s.write(func(a *aistream.Writer) error {
		return a.Start(t.MessageID, aistream.Thread{ThreadID: t.ThreadID, Mode: d.Mode()})
	}) != nil {
		cancel()
	}
	alive, stop := context.WithCancel(ctx)
	var beats sync.WaitGroup
	beats.Go(func() { s.beat(alive, l.stopping, cancel) })
	result := d.Answer(ctx, t, q,
		func(piece string) error { return s.write(func(a *aistream.Writer) error { return a.Text(piece) }) })
	stop()
	beats.Wait()
	_ = s.write(func(a *aistream.Writer) error { // the client has disconnected, so the error cannot be reported
		if result.Err != nil {
			return a.Fail(result.Sentence())
		}
		for _, source := range result.Sources {
			if err := a.Source(strconv.Itoa(source.Number), to.Base+source.Path, source.Title); err != nil {
				return err
			}
		}
		return a.Finish()
	})
}

// stream is an answer being sent. It is safe for concurrent use.
type stream struct {
	ctl *http.ResponseController

	mu sync.Mutex
	to *aistream.Writer
}

func openStream(w http.ResponseWriter, form aistream.Form) *stream {
	h := w.Header()
	kind, header := aistream.ContentType, aistream.Header
	if form == aistream.DataParts {
		kind, header = aistream.DataContentType, aistream.DataHeader
	}
	h.Set("Content-Type", kind)
	h.Set(header, aistream.Version)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Accel-Buffering", "no") // asks proxies not to buffer events
	ctl := http.NewResponseController(w)
	_ = ctl.SetReadDeadline(time.Time{}) // the question was read; further reads detect when the client disconnects
	w.WriteHeader(http.StatusOK)
	return &stream{ctl: ctl, to: aistream.NewWriter(w, form)}
}

// write writes parts and flushes them; it disconnects a client that is too slow.
func (s *stream) write(parts func(*aistream.Writer) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.ctl.SetWriteDeadline(time.Now().Add(streamWrite)) // not every writer supports deadlines
	if err := parts(s.to); err != nil {
		return err
	}
	return s.ctl.Flush()
}

// beat sends keep-alives while the model works, and ends the answer if the client has disconnected or the server
// stops.
func (s *stream) beat(ctx context.Context, stopping <-chan struct{}, end context.CancelFunc) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-stopping:
			end()
			return
		case <-tick.C:
			if s.write((*aistream.Writer).Beat) != nil {
				end()
				return
			}
		}
	}
}
