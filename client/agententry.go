package client

import (
	"context"
	"strconv"
)

// ListAgentEntries lists a job's record after an entry's sequence number; 0 = from the beginning.
func (c *Client) ListAgentEntries(ctx context.Context, projectID, id string, after int64) (*AgentEntryList, error) {
	q := Page{}.query()
	if after > 0 {
		q.Set("after", strconv.FormatInt(after, 10))
	}
	return get[AgentEntryList](ctx, c, q, agentPath(projectID, "job", id, "entries")...)
}
