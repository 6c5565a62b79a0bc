package adminapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/store"
)

func showSession(p project.Project, j agentjob.Job) client.AgentSession {
	out := client.AgentSession{SessionID: j.ID, Subdomain: p.Domains[0], Branch: orNull(j.Ref),
		Halted: j.Status.Ended(), HaltReason: haltReason(j),
		PullRequestLink: j.PRLink, MessageToUser: j.Summary, Todos: []client.AgentTodo{}, Title: j.Title,
		CreatedAt: stamp(j.CreatedAt)}
	if j.Error != "" {
		out.MessageToUser = j.Error
	}
	return out
}

// haltReason returns a job's state in the terms of the older API. The older API has no state for archived jobs, so for
// these haltReason returns why the agent stopped.
func haltReason(j agentjob.Job) string {
	switch {
	case j.Status == agentjob.Active:
		return "processing"
	case j.Outcome == agentjob.Stopped:
		return "interrupted"
	case j.Error != "":
		return "error"
	case j.Status == agentjob.Archived && j.Summary == "": // archived while the agent was working
		return "interrupted"
	}
	return "completed"
}

func (a *api) createAgentJobV1(c *call) (response, error) {
	want, prompt, err := a.readSession(c)
	if err != nil {
		return response{}, err
	}
	made, replayed, err := doOnce(a, c, http.StatusOK,
		func(tx *store.Tx) (client.AgentJob, error) { return a.startAgentJob(c, tx, want, prompt) })
	if err != nil {
		return response{}, err
	}
	h := c.w.Header()
	h.Set("X-Session-Id", made.ID)
	h.Set("X-Branch-Name", agentjob.Branch(made.ID, prompt.Text))
	p, err := a.Store.FindProject(c.ctx(), c.org(), want.ProjectID)
	if err != nil {
		return response{}, err
	}
	j, err := a.Store.FindAgentJob(c.ctx(), c.org(), p.ID, made.ID)
	if err != nil {
		return response{}, err
	}
	if c.wantsJSON() {
		return response{status: http.StatusOK, body: showSession(p, j), location: "/v1/agent/" + p.ID + "/job/" + j.ID,
			poll: !j.Status.Ended(), replayed: replayed}, nil
	}
	h.Set("Location", "/v1/agent/"+p.ID+"/job/"+j.ID)
	if replayed {
		h.Set("Idempotency-Replayed", "true")
	}
	return a.streamSession(c, p, j)
}

// wantsJSON reports whether the caller accepts only JSON. An Accept header with */* does not count, because HTTP
// libraries that ask for JSON add it by default.
func (c *call) wantsJSON() bool {
	accept := c.r.Header.Get("Accept")
	return strings.Contains(accept, "application/json") && !strings.Contains(accept, "*/*") &&
		!strings.Contains(accept, "text/event-stream")
}

// readSession parses the request body for a new job in the older API's format.
func (a *api) readSession(c *call) (want agentjob.Job, prompt agentjob.Entry, err error) {
	var in struct {
		Messages []struct {
			Role    string `json:"role" required:"true"`
			Content string `json:"content" required:"true"`
		} `json:"messages" required:"true"`
		Branch  *string `json:"branch"`
		AsDraft bool    `json:"asDraft"`
		Model   *string `json:"model"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return want, prompt, err
	}
	var said []agentjob.Message
	for _, m := range in.Messages {
		said = append(said, agentjob.Message(m))
	}
	if prompt.Text, err = agentjob.JoinMessages(said); err != nil {
		return want, prompt, err
	}
	if want.Base, err = a.baseBranch(in.Branch); err != nil {
		return want, prompt, err
	}
	asked, err := askedModel(in.Model)
	if err != nil {
		return want, prompt, err
	}
	if slices.Contains([]string{"sonnet", "opus"}, asked) && !slices.Contains(a.AgentModels, asked) {
		asked = "" // the older API's names for small and large models; the operator decides which models exist
	}
	want.Model, err = agentjob.ChooseModel(a.AgentModels, asked)
	want.OrganizationID, want.ProjectID, want.Draft = c.org(), c.pathID("projectId", id.Project), in.AsDraft
	prompt.Author = c.principal.Actor()
	return want, prompt, err
}

func (a *api) getAgentJobV1(c *call) (response, error) {
	projectID, jobID := c.agentJobPath()
	j, err := a.Store.FindAgentJob(c.ctx(), c.org(), projectID, jobID)
	if err != nil {
		return response{}, err
	}
	p, err := a.Store.FindProject(c.ctx(), c.org(), projectID)
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: showSession(p, j), poll: !j.Status.Ended()}, nil
}

// Limits for lists in the older API.
const (
	defaultTake = 12
	maxTake     = 100
	maxSkip     = 100_000
)

func (a *api) listAgentJobsV1(c *call) (response, error) {
	q, err := c.query()
	if err != nil {
		return response{}, err
	}
	skip, err := number(q, "skip", 0, 0, maxSkip)
	if err != nil {
		return response{}, err
	}
	take, err := number(q, "take", defaultTake, 1, maxTake)
	if err != nil {
		return response{}, err
	}
	p, err := a.Store.FindProject(c.ctx(), c.org(), c.pathID("projectId", id.Project))
	if err != nil {
		return response{}, err
	}
	list, err := a.Store.SkipAgentJobs(c.ctx(), c.org(), p.ID, skip, take)
	if err != nil {
		return response{}, err
	}
	body := client.AgentSessionList{AllSessions: []client.AgentSession{}}
	for _, j := range list {
		body.AllSessions = append(body.AllSessions, showSession(p, j))
	}
	return response{status: http.StatusOK, body: body}, nil
}
