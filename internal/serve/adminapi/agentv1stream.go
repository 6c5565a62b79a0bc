package adminapi

import (
	"time"

	"github.com/lectern-docs/lectern/internal/ai/aistream"
	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
)

// sessionStream sends a job's transcript to a client of the older API, as a message in the format that chat clients
// expect.
type sessionStream struct {
	*stream
	to    *aistream.Writer
	after int64 // number of the last line sent
	ended bool  // the end of the message has been sent
}

// streamSession streams a job until its agent stops. A client that disconnects does not stop the agent.
func (a *api) streamSession(c *call, p project.Project, j agentjob.Job) (response, error) {
	c.w.Header().Set(aistream.Header, aistream.Version)
	s := &sessionStream{stream: openStream(c)}
	s.to = aistream.NewWriter(timedWriter{s.stream}, aistream.UIMessages)
	if err := s.to.Begin(j.ID); err != nil {
		return response{streamed: true}, ignoreGone(c, err)
	}
	// Read the job before its transcript, as in streamAgentJob.
	res, err := a.follow(c, s.stream, func() (bool, error) { return a.showSessionProgress(c, s, p, j) }, func() error {
		now, err := a.Store.FindAgentJob(c.ctx(), c.org(), p.ID, j.ID)
		if err == nil {
			j = now
		}
		return err
	})
	if !s.ended && c.ctx().Err() == nil { // without an end, chat clients would treat the message as complete
		// An error only means that the client has disconnected.
		_ = s.to.Fail("The stream ended before the agent finished. For the job's state, use GET /v1/agent/" + p.ID +
			"/job/" + j.ID + ".")
	}
	return res, err
}

// timedWriter applies the stream's write timeout, so that slow readers are disconnected.
type timedWriter struct{ *stream }

func (w timedWriter) Write(text []byte) (int, error) { return len(text), w.write(text) }

// showSessionProgress sends new lines, and reports whether the agent has stopped. The model's answers are sent as
// text; the platform's notes and the names of called tools are separate parts. The input and output of tools are only
// in the transcript.
func (a *api) showSessionProgress(c *call, s *sessionStream, p project.Project, j agentjob.Job) (done bool, err error) {
	for {
		list, err := a.Store.ListAgentEntries(c.ctx(), j.ID, s.after, entryBatch)
		if err != nil {
			return false, err
		}
		for _, e := range list {
			if err := s.show(e); err != nil {
				return false, err
			}
			s.after = e.Sequence
		}
		if len(list) < entryBatch {
			break
		}
	}
	if !j.Status.Ended() {
		return false, nil
	}
	if err := s.to.Data("session", showSession(p, j)); err != nil {
		return false, err
	}
	s.ended = true
	if j.Status == agentjob.Failed {
		return true, s.to.Fail(j.Error)
	}
	return true, s.to.Finish()
}

// show sends a transcript line. Prompts are skipped: the caller wrote them.
func (s *sessionStream) show(e agentjob.Entry) error {
	switch e.Kind {
	case agentjob.Answer:
		if err := s.to.Text(guard.Unmarked(e.Text)); err != nil {
			return err
		}
		if err := s.to.EndText(); err != nil {
			return err
		}
		for _, call := range e.Calls {
			if err := s.to.Data("tool", toolJSON{call.Name}); err != nil {
				return err
			}
		}
	case agentjob.Note:
		return s.to.Data("note", noteJSON{e.Code, guard.Unmarked(e.Text), stamp(e.At)})
	}
	return nil
}

type toolJSON struct {
	Name string `json:"name"`
}

type noteJSON struct {
	Code string    `json:"code"`
	Text string    `json:"text"`
	At   time.Time `json:"at"`
}
