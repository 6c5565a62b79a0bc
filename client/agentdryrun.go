package client

import "context"

// AgentDryRun is the proposal that a dry run of an agent job would have made.
type AgentDryRun struct {
	Findings string // description of the proposal and the findings of the checks, in Markdown
	Patch    string // the changes as a unified diff
}

// FindAgentDryRun returns the dry-run result of a job's newest round, from its transcript. It returns nil if that
// round changed nothing, failed or was not a dry run.
func (c *Client) FindAgentDryRun(ctx context.Context, projectID, id string) (*AgentDryRun, error) {
	var out *AgentDryRun
	for after, round := int64(0), 0; ; {
		page, err := c.ListAgentEntries(ctx, projectID, id, ListAgentEntriesParams{After: after})
		if err != nil {
			return nil, err
		}
		for _, e := range page.Entries {
			if e.Round != round {
				round, out = e.Round, nil
			}
			if e.Kind != "note" || e.Code == nil {
				continue
			}
			switch *e.Code {
			case "dry_run":
				out = &AgentDryRun{Findings: e.Text}
			case "patch":
				if out != nil {
					out.Patch = e.Text
				}
			}
		}
		if page.Next == nil {
			return out, nil
		}
		after = *page.Next
	}
}
