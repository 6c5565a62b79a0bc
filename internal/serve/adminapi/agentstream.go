package adminapi

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// authorNames returns the names of the authors of the prompts in list.
func (a *api) authorNames(c *call, list []agentjob.Entry) (map[string]string, error) {
	var ids []string
	for _, e := range list {
		if e.Author != "" {
			ids = append(ids, e.Author)
		}
	}
	return a.Store.FindNames(c.ctx(), c.org(), ids)
}

// showAgentEntry converts a transcript line to its API form, without the markers around untrusted data. The markers
// are for models; the agent gets the stored transcript.
func showAgentEntry(e agentjob.Entry, names map[string]string) client.AgentEntry {
	out := client.AgentEntry{Sequence: e.Sequence, Round: e.Round, Kind: string(e.Kind), Code: orNull(e.Code),
		Author: orNull(e.Author), AuthorName: orNull(names[e.Author]), Text: guard.Unmarked(e.Text),
		Calls: []client.AgentToolCall{}, Results: []client.AgentToolResult{}, At: stamp(e.At)}
	for _, c := range e.Calls {
		out.Calls = append(out.Calls, client.AgentToolCall{ID: c.ID, Name: c.Name, Input: c.Input})
	}
	for _, r := range e.Results {
		out.Results = append(out.Results, client.AgentToolResult{CallID: r.CallID, Text: guard.Unmarked(r.Text), Failed: r.Failed})
	}
	if e.Kind == agentjob.Answer {
		used := showAgentUse(e.Used)
		out.Usage = &used
	}
	return out
}

// entryBatch is the number of entries read at once. It is small because each entry may be large.
const entryBatch = 20

// streamAgentJob streams a job: one event for each transcript line, one for each change to the job, and a final event
// named end when the job is no longer active. A line's number is its event id, so a client that reconnects continues
// after the last line it received.
func (a *api) streamAgentJob(c *call) (response, error) {
	after, err := c.lastEventID()
	if err != nil {
		return response{}, err
	}
	projectID, jobID := c.agentJobPath()
	j, err := a.Store.FindAgentJob(c.ctx(), c.org(), projectID, jobID)
	if err != nil {
		return response{}, err
	}
	s := &agentStream{stream: openStream(c), after: after}
	// Read the job before its transcript, so that once the job has ended, the transcript read afterwards is complete.
	return a.follow(c, s.stream, func() (bool, error) { return a.showAgentProgress(c, s, j) }, func() (err error) {
		j, err = a.Store.FindAgentJob(c.ctx(), c.org(), projectID, jobID)
		return err
	})
}

// lastEventID returns the number of the last line received by a reconnecting client, or 0.
func (c *call) lastEventID() (int64, error) {
	v := c.r.Header.Get("Last-Event-ID")
	if v == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < 0 {
		return 0, fault.New(fault.Invalid, "invalid_field", "Last-Event-ID is not the id of an event in this stream.").
			WithField("Last-Event-ID")
	}
	return n, nil
}

// agentStream is a stream and its position in the transcript.
type agentStream struct {
	*stream
	after int64
}

// showAgentProgress sends the new lines and the job's state, and reports whether the job has ended.
func (a *api) showAgentProgress(c *call, s *agentStream, j agentjob.Job) (done bool, err error) {
	err = a.eachEntry(c, j.ID, s.after, func(sequence int64, raw []byte) (bool, error) {
		s.after = sequence
		return true, s.write(fmt.Appendf(nil, "id: %d\nevent: entry\ndata: %s\n", sequence, raw))
	})
	if err != nil {
		return false, err
	}
	raw, err := encode(a.openable(c, j.ProjectID, showAgentJob(j)))
	if err != nil || bytes.Equal(raw, s.last) {
		return false, err
	}
	s.last = raw
	text := fmt.Appendf(nil, "event: job\ndata: %s\n", raw)
	if j.Status.Ended() {
		text = fmt.Appendf(text, "event: end\ndata: %s\n", raw)
	}
	return j.Status.Ended(), s.write(text)
}
