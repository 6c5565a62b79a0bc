package adminapi

import (
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/internal/agentjob"
	"github.com/lectern-docs/lectern/internal/id"
)

// agentJobJSON is an agent job as answers show it.
type agentJobJSON struct {
	ID         string          `json:"id"`
	Status     agentjob.Status `json:"status"`
	Source     agentSourceJSON `json:"source"`
	Model      string          `json:"model"`
	PRLink     *string         `json:"prLink"`
	CreatedAt  time.Time       `json:"createdAt"`
	ArchivedAt *time.Time      `json:"archivedAt"`
}

type agentSourceJSON struct {
	Repository string  `json:"repository"`
	Ref        *string `json:"ref"`
}

func (a *api) getAgentJob(c *call) (answer, error) {
	j, err := a.Store.FindAgentJob(c.ctx(), c.org(), c.pathID("projectId", id.Project), c.pathID("id", id.AgentJob))
	if err != nil {
		return answer{}, err
	}
	body := agentJobJSON{ID: j.ID, Status: j.Status, Source: agentSourceJSON{Repository: j.Repository, Ref: orNull(j.Ref)}, Model: j.Model,
		PRLink: orNull(j.PRLink), CreatedAt: stamp(j.CreatedAt), ArchivedAt: stampOrNull(j.ArchivedAt)}
	return answer{status: http.StatusOK, body: body, poll: j.Status == agentjob.Active}, nil
}
