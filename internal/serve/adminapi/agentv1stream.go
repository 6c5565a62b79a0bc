package adminapi

import (
	"time"

	"github.com/lectern-docs/lectern/internal/ai/aistream"
	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
)

// sessionStream is a job's record on its way to a client of the older API, as a message that chat clients read.
type sessionStream struct {
	*stream
	to    *aistream.Writer
	after int64 // the last line that was sent
	ended bool  // the message has its end
}

// streamSession follows a job until its agent stops. A client that leaves does not stop it.
func (a *api) streamSession(c *call, p project.Project, j agentjob.Job) (response, error) {
	c.w.Header().Set(aistream.Header, aistream.Version)
	s := &sessionStream{stream: openStream(c)}
	s.to = aistream.NewWriter(timedWriter{s.stream}, aistream.UIMessages)
	if err := s.to.Begin(j.ID); err != nil {
		return response{streamed: true}, ignoreGone(c, err)
	}
	// As in streamAgentJob, the job is read before its record.
	res, err := a.follow(c, s.stream, func() (bool, error) { return a.showSessionProgress(c, s, p, j) }, func() error {
		now, err := a.Store.FindAgentJob(c.ctx(), c.org(), p.ID, j.ID)
		if err == nil {
			j = now
		}
		return err
	})
	if !s.ended && c.ctx().Err() == nil { // chat clients take a message without an end for a whole one
		// the reader has gone
		_ = s.to.Fail("The stream ended before the agent finished. For the job's state, use GET /v1/agent/" + p.ID +
			"/job/" + j.ID + ".")
	}
	return res, err
}

// timedWriter gives up on readers who do not take what they are sent.
type timedWriter struct{ *stream }

func (w timedWriter) Write(text []byte) (int, error) { return len(text), w.write(text) }

// showSessionProgress sends what is new, and reports whether the agent has stopped. Answers of the model are texts;
// notes of the platform and names of called tools are parts of their own. What tools read and wrote stays in the
// record.
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

// show sends a line of the record. Prompts are the caller's own.
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
