package adminapi

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Limits for one page of a job's transcript.
const (
	maxEntries    = 200
	maxEntryBytes = 2 << 20 // a single line may be longer
)

// encodedEntries is a client.AgentEntryList with already encoded lines, because their size determines how many fit on
// a page.
type encodedEntries struct {
	Entries []json.RawMessage `json:"entries"`
	Next    *int64            `json:"next"`
}

func (a *api) listAgentEntries(c *call) (response, error) {
	after, err := c.after()
	if err != nil {
		return response{}, err
	}
	projectID, jobID := c.agentJobPath()
	j, err := a.Store.FindAgentJob(c.ctx(), c.org(), projectID, jobID)
	if err != nil {
		return response{}, err
	}
	out, err := a.readEntries(c, j.ID, after)
	return response{status: http.StatusOK, body: out}, err
}

// readEntries reads the lines after the line with the given number until the page is full.
func (a *api) readEntries(c *call, jobID string, after int64) (out encodedEntries, err error) {
	out.Entries = []json.RawMessage{}
	size, last := 0, after
	err = a.eachEntry(c, jobID, after, func(sequence int64, raw []byte) (more bool, err error) {
		if n := len(out.Entries); n == maxEntries || n > 0 && size+len(raw) > maxEntryBytes {
			out.Next = &last
			return false, nil
		}
		out.Entries = append(out.Entries, raw)
		size, last = size+len(raw), sequence
		return true, nil
	})
	return out, err
}

// eachEntry calls take with each encoded line of a transcript that follows the line with the given number, until take
// returns false.
func (a *api) eachEntry(c *call, jobID string, after int64,
	take func(sequence int64, raw []byte) (more bool, err error)) error {
	for {
		list, err := a.Store.ListAgentEntries(c.ctx(), jobID, after, entryBatch)
		if err != nil {
			return err
		}
		names, err := a.authorNames(c, list)
		if err != nil {
			return err
		}
		for _, e := range list {
			raw, err := encode(showAgentEntry(e, names))
			if err != nil {
				return err
			}
			if more, err := take(e.Sequence, raw); err != nil || !more {
				return err
			}
			after = e.Sequence
		}
		if len(list) < entryBatch {
			return nil
		}
	}
}

// after returns the number of the last line that the caller already has, or 0.
func (c *call) after() (int64, error) {
	q, err := c.query()
	if err != nil || q.Get("after") == "" {
		return 0, err
	}
	n, err := strconv.ParseInt(q.Get("after"), 10, 64)
	if err != nil || n < 0 {
		return 0, fault.New(fault.Invalid, "invalid_field", "after must be an entry's number.").WithField("after")
	}
	return n, nil
}
