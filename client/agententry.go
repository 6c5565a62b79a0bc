package client

import (
	"context"
	"strconv"
)

// AgentEntryList is a part of a job's record, oldest first.
type AgentEntryList struct {
	Entries []AgentEntry `json:"entries"`
	Next    *int64       `json:"next"` // give it as after for the following part; nil = that was all
}

// ListAgentEntries lists a job's record after an entry's sequence number; 0 = from the beginning.
func (c *Client) ListAgentEntries(ctx context.Context, projectID, id string, after int64) (*AgentEntryList, error) {
	q := Page{}.query()
	if after > 0 {
		q.Set("after", strconv.FormatInt(after, 10))
	}
	return get[AgentEntryList](ctx, c, q, agentPath(projectID, "job", id, "entries")...)
}
