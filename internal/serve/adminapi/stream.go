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

// streamWrite is how long a client may take to accept an event before the stream is closed.
const streamWrite = 30 * time.Second

// streamExport streams a job: an event for each change, and a final event named end. It polls the store instead of
// listening to the worker, so it works regardless of which replica runs the job.
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

// follow calls show once, and again after each poll with look, until show reports the end, the client disconnects or
// the server stops.
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

// stillAllowed checks again whether the caller may read this: the stream must end if the key was revoked, if the
// session ended or switched to another organization, or if the member's role was lowered.
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

// ignoreGone drops errors caused by the client's disconnecting.
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
	last []byte // last data sent
}

func openStream(c *call) *stream {
	c.unbound()
	w := c.w
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Accel-Buffering", "no") // asks proxies not to buffer events
	w.WriteHeader(http.StatusOK)
	return &stream{w: w, ctl: http.NewResponseController(w)}
}

// show sends the job if it has changed, and reports whether it has ended.
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

// breakOff aborts a response by closing the connection early, so that the client can tell that the response is
// incomplete.
func (s *stream) breakOff() { _ = s.ctl.SetWriteDeadline(time.Unix(1, 0)) }

// write sends text immediately; it disconnects a client that is too slow.
func (s *stream) write(text []byte) error {
	if err := s.put(text); err != nil {
		return err
	}
	return s.ctl.Flush()
}

// put is like write but does not flush.
func (s *stream) put(text []byte) error {
	_ = s.ctl.SetWriteDeadline(time.Now().Add(streamWrite)) // not every writer supports deadlines
	_, err := s.w.Write(text)
	return err
}
