package adminapi

import (
	"bytes"
	"fmt"
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// streamWrite is how long a reader may take to accept one event before the stream is closed.
const streamWrite = 30 * time.Second

// streamExport follows a job: an event for each change, and a last one named end. It looks into the store instead of
// listening to the worker, so that it works whichever replica does the job.
func (a *api) streamExport(c *call) (response, error) {
	jobID := c.pathID("jobId", id.Export)
	j, err := a.Store.FindExport(c.ctx(), c.org(), jobID)
	if err != nil {
		return response{}, err
	}
	s := openStream(c)
	return a.follow(c, s, func() (bool, error) { return s.show(j) }, func() (err error) {
		j, err = a.Store.FindExport(c.ctx(), c.org(), jobID)
		return err
	})
}

// follow shows what there is and looks for news until show says that nothing more will come, the reader leaves or the
// server stops.
func (a *api) follow(c *call, s *stream, show func() (done bool, err error), look func() error) (response, error) {
	poll, beat := time.NewTicker(a.StreamPoll), time.NewTicker(a.StreamBeat)
	defer poll.Stop()
	defer beat.Stop()
	for {
		if done, err := show(); done || err != nil {
			return response{streamed: true}, ignoreGone(c, err)
		}
		var err error
		select {
		case <-c.ctx().Done():
			return response{streamed: true}, nil
		case <-a.Stopping:
			return response{streamed: true}, nil
		case <-beat.C:
			err = s.write([]byte(": still here\n\n"))
		case <-poll.C:
			if err = a.stillAllowed(c); err == nil {
				err = look()
			}
		}
		if err != nil {
			return response{streamed: true}, ignoreGone(c, err)
		}
	}
}

// stillAllowed checks again whether the caller may read this: a key that was revoked meanwhile, a session that ended or
// moved to another organization, and a member whose role was lowered must not read on.
func (a *api) stillAllowed(c *call) error {
	p, err := a.guard.Identify(c.r)
	if err != nil {
		return err
	}
	if p.Organization.ID != c.org() {
		return fault.New(fault.Unauthenticated, "session_ended", "The session has switched to another organization.")
	}
	return a.permit(c, p, a.Store)
}

// ignoreGone drops errors that only say that the reader has left.
func ignoreGone(c *call, err error) error {
	if err == nil || c.ctx().Err() != nil {
		return nil
	}
	return fmt.Errorf("stream: %w", err)
}

// stream writes server-sent events.
type stream struct {
	w    http.ResponseWriter
	ctl  *http.ResponseController
	last []byte // what was shown last
}

func openStream(c *call) *stream {
	c.unbound()
	w := c.w
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Accel-Buffering", "no") // asks proxies to pass events on at once
	w.WriteHeader(http.StatusOK)
	return &stream{w: w, ctl: http.NewResponseController(w)}
}

// show sends the job if it changed, and reports whether it has ended.
func (s *stream) show(j export.Job) (done bool, err error) {
	raw, err := encode(showExport(j))
	if err != nil || bytes.Equal(raw, s.last) {
		return false, err
	}
	s.last = raw
	text := fmt.Appendf(nil, "event: progress\ndata: %s\n", raw)
	if j.Status.Ended() {
		text = fmt.Appendf(text, "event: end\ndata: %s\n", raw)
	}
	return j.Status.Ended(), s.write(text)
}

// breakOff aborts a response so that its reader sees that it is incomplete: the connection is closed before the end of
// the response was sent.
func (s *stream) breakOff() { _ = s.ctl.SetWriteDeadline(time.Unix(1, 0)) }

// write sends text now; a reader that is too slow is disconnected.
func (s *stream) write(text []byte) error {
	if err := s.put(text); err != nil {
		return err
	}
	return s.ctl.Flush()
}

// put is write for text that may wait for more.
func (s *stream) put(text []byte) error {
	_ = s.ctl.SetWriteDeadline(time.Now().Add(streamWrite)) // not every writer has deadlines
	_, err := s.w.Write(text)
	return err
}
